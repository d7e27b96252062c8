// One prompt in both renderings, as the engine would send it.
import type { Prompt } from '../../src/core/message.js'

export const prompt: Prompt = {
  messages: [
    { role: 'system', text: 'You are precise.' },
    { role: 'user', text: 'Is Oslo colder than Rome?' },
  ],
  text: 'You are precise.\n\nQuestion: Is Oslo colder than Rome?\nThought:',
  opener: 'Thought:',
  stop: ['\nObservation:', '\nObservation :'],
  textStop: ['\nQuestion:'],
  taskBreak: '',
}

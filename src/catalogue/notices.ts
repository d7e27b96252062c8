// What a run says once beside its events, in `notice` events: explained by name.
import type { NoticeCode } from '../core/event.js'
import type { NameEntry } from './entry.js'

const NOTHING = 'Nothing is wrong.'

export const NOTICES: Readonly<Record<NoticeCode, NameEntry>> = {
  RESUMED: {
    title: 'the run goes on from its record',
    why: 'It was cut short. What stands before this was neither asked nor called again.',
    remedy: NOTHING,
  },
  MODEL_CHOSEN: {
    title: 'the only model of the server is used',
    why: 'No model was named, and the server lists exactly one.',
    remedy: 'Name it with --model, so that a second one on the server changes nothing.',
  },
  MODEL_LOADING: {
    title: 'the server still loads its model',
    why: 'It answers, and says so. It is asked again until it is ready, for as long as may pass until the first byte of a reply (--timeout).',
    remedy: NOTHING,
  },
  RETRY: {
    title: 'a request to the endpoint is made again',
    why: 'It failed in a way that often passes: too many requests, a server that is busy, a stream that broke off.',
    remedy: 'Nothing, unless it comes often.',
  },
  API_CHANGED: {
    title: 'the other API of the endpoint is used',
    why: 'The endpoint has no chat completions, or no text completions, or the model has no chat template.',
    remedy: 'Set --api, and the first request is not made in vain.',
  },
  SYSTEM_FOLDED: {
    title: 'the system text is sent inside the first user turn',
    why: 'The endpoint, or the chat template of the model, takes no system turn.',
    remedy: NOTHING,
  },
  PARAMETER_RENAMED: {
    title: 'a parameter is sent under its newer name',
    why: 'The endpoint refuses max_tokens and takes max_completion_tokens.',
    remedy: NOTHING,
  },
  PARAMETER_DROPPED: {
    title: 'a parameter is no longer sent',
    why: 'The endpoint refuses it; the message names it. Stop strings are always held on this side, too.',
    remedy: 'Nothing, unless the parameter matters to you.',
  },
  STREAMING_OFF: {
    title: 'each reply comes whole',
    why: 'The endpoint does not stream.',
    remedy: 'Set --no-stream, and the first request is not made in vain.',
  },
  REPLY_SHORTENED: {
    title: 'replies are limited to a few hundred tokens',
    why: 'The context of the model has little room left beside the prompt.',
    remedy: 'A larger context on the server, or a lower --max-tokens.',
  },
  IMAGES_LEFT_OUT: {
    title: 'no image is sent to the model',
    why: 'Images were wanted (--vision), but the endpoint or its model takes none.',
    remedy: 'A model that can see, served with chat completions; or leave out --vision.',
  },
  PROMPT_CUT: {
    title: 'the endpoint may have dropped the beginning of the prompt',
    why: 'It counted far fewer tokens than the prompt must have. Some servers cut in silence what does not fit.',
    remedy: 'Start the server with a larger context, and tell it with --context-tokens.',
  },
  CONTEXT_CUT: {
    title: 'the endpoint seems to read less than the whole prompt',
    why: 'The prompt grew, and the tokens that the endpoint counts did not.',
    remedy: 'Start the server with a larger context, and tell it with --context-tokens.',
  },
  CONTEXT_TRIMMED: {
    title: 'earlier steps were left out of the prompt',
    why: 'The prompt was too long for the model; the message says what is gone. The record of the run still holds it.',
    remedy: 'A larger context (and --context-tokens), shorter observations (--max-observe), fewer tools.',
  },
  EXAMPLE_LEFT_OUT: {
    title: 'an example is not shown to the model',
    why: 'It calls a tool that is not registered, or cannot be read back as it is written.',
    remedy: 'Register the tool, or mend the example; the message says which.',
  },
  STOPS_LEFT_OUT: {
    title: 'stop strings are no longer sent',
    why: 'A reply ended within its reasoning, perhaps since the model thought of a stop string. They are still held on this side.',
    remedy: NOTHING,
  },
  SANDBOX_OPENED: {
    title: 'a sandbox was opened for the commands of the model',
    why: 'The message names what keeps them from the rest of this machine, and what does not. In the sandbox local nothing does.',
    remedy: 'saydo doctor --agent sandbox tries it out; --sandbox names another.',
  },
  SERVER_STARTED: {
    title: 'a server of tools was started on this machine',
    why: 'Its command stands in the list of MCP servers. It runs with your rights and without a sandbox.',
    remedy: 'Nothing, if you trust it; else take it off the list, or give it a url.',
  },
  SERVER_NEWS: {
    title: 'something about a server of tools should be known',
    why: 'It could not be reached, is gone, or is there again; or it lists tools that cannot be used. The message says what.',
    remedy: 'saydo doctor --agent mcp looks at each server.',
  },
  ARTIFACTS_FAILED: {
    title: 'what was changed in the files cannot be told',
    why: 'The list and the patch of changes come from git, which is not there or failed; the message says how. The files are as the run left them.',
    remedy: 'Install git, or compare the folder with a copy of your own.',
  },
  CLOSE_FAILED: {
    title: 'something did not close behind the run',
    why: 'The run had its answer already, and is not lost over it.',
    remedy: 'Look at the message: a process or a connection may have stayed.',
  },
}

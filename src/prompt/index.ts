// The prompt room's face: templates and texts in, prompts out. Floor 1: it knows of a dialect only labels, opener and stop strings.
import { loadLanguage } from './bundled.js'
import { chooseExamples, type ExampleChoice, type ExampleTool, toolsOf } from './examples.js'

export { LANGUAGES, type Language } from './bundled.js'
export { type CompiledTemplate, type CompileOptions, compileTemplate } from './engine.js'
export {
  chooseExamples,
  type Example,
  type ExampleCall,
  type ExampleChoice,
  type ExampleStep,
  type ExampleTool,
} from './examples.js'
export { type PromptData, TEMPLATE_SHAPE } from './prompt-data.js'
export { flattenMessages, renderPrompt } from './render.js'
export { bundledTemplate, loadTemplate, type Template, type TemplateOptions } from './template.js'
export { TEXT_SHAPES } from './text-shapes.js'
export { loadTexts, type TextSource } from './texts.js'

/**
 * The bundled examples of a language that these tools can really play, and which were left out. Small talk without a tool stays as long as
 * it is not alone beside tools: one example that calls nothing teaches a model to call nothing.
 */
export async function examplesFor(tools: readonly ExampleTool[], language = 'en'): Promise<ExampleChoice> {
  const choice = chooseExamples((await loadLanguage(language)).examples, tools)
  const calling = choice.kept.some(example => toolsOf(example).length > 0)
  return calling || tools.length === 0 ? choice : { ...choice, kept: [] }
}

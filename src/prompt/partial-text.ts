// What a bundled template says by `{{> tools}}` or `{{> format}}` → the text, to be found again in a prompt that includes it.
import type { Wording } from '../core/dialect.js'
import { loadLanguage } from './bundled.js'
import { compileTemplate } from './engine.js'
import { type PromptData, TEMPLATE_SHAPE, templateData } from './prompt-data.js'
import { wordingIn } from './template.js'

/** Without blanks around it; empty when the language has no partial of that name. `wording` is the dialect's, in place of `format`. */
export async function partialText(name: string, language: string, data: PromptData, wording?: Wording): Promise<string> {
  const own = name === 'format' && wording ? await wordingIn(wording, language) : undefined
  const source = own ?? (await loadLanguage(language)).partials[name]
  if (source === undefined) return ''
  const { render } = await compileTemplate(source, { name: `partials/${name}.hbs`, variables: TEMPLATE_SHAPE })
  return render(templateData(data)).trim()
}

// A path → the template in that file. The public door of the prompt room: it loads the room only when called.
import type { Template, TemplateOptions } from './template.js'

/**
 * A user's own prompt template: Handlebars with, at the top, optional YAML settings (`name`, `language`, `examples`). Start from
 * `prompts/react.hbs`; it may include the bundled `{{> tools}}` and `{{> format}}`. Rejects with `CONFIG` when there is no such file or
 * language, `TEMPLATE` for everything wrong inside, with its place.
 */
export async function loadTemplate(path: string, options?: TemplateOptions): Promise<Template> {
  const room = await import('./template.js')
  return room.loadTemplate(path, options)
}

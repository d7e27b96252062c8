// A sandbox → the tool `see_image`, for models that can see.
import { imageOf, MOST_IMAGE_CHARS } from '../../core/image.js'
import type { Sandbox } from '../../core/sandbox.js'
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import { WithImages } from '../../tools/with-images.js'

/** Four characters of base64 hold three bytes. */
const MOST_BYTES = (MOST_IMAGE_CHARS / 4) * 3

export function imageTool(sandbox: Sandbox): Tool {
  return tool({
    name: 'see_image',
    description: 'Shows an image of the workspace: a PNG, JPEG or WebP file.',
    returns: 'The image, to be looked at in the next step alone.',
    effect: 'none',
    input: {
      type: 'object',
      properties: { path: { type: 'string', description: 'In the workspace, such as plot.png.' } },
      required: ['path'],
      additionalProperties: false,
    },
    async run({ path }: { readonly path: string }) {
      const size = (await sandbox.stat(path))?.size ?? 0
      if (size > MOST_BYTES)
        throw new Error(`${path} has ${size} bytes, and no more than ${MOST_BYTES} can be shown: make a smaller copy of it`)
      const bytes = Buffer.from(await sandbox.read(path))
      const image = imageOf(bytes.toString('base64'), path)
      if (image === undefined) throw new Error(`${path} is no PNG, JPEG or WebP image`)
      return new WithImages(`${path}: ${image.mime}, ${bytes.length} bytes.`, [image])
    },
  })
}

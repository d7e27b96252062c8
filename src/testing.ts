// The public face for tests: what `import … from 'saydo/testing'` gives, by name.
export { type ScriptedModel, type ScriptedReply, scriptedModel } from './model/scripted.js'

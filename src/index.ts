// The public face: what `import … from 'saydo'` gives, by name. Nothing heavy is loaded until it is first needed.

export type { ActiveRun } from './agent/active-run.js'
export type { AnswerSchema } from './agent/answer-form.js'
export type { Turn } from './agent/ask-model.js'
export { type AgentProfile, BaseAgent } from './agent/base-agent.js'
export type { BaseAgentOptions } from './agent/base-agent-options.js'
export { type FormatRunOptions, formatRun } from './agent/format-run.js'
export type { HookPlace, Hooks } from './agent/hooks.js'
export type { LastWord } from './agent/last-turn.js'
export { type ActResult, ReActAgent, type ReActAgentOptions } from './agent/react-agent.js'
export type { AgentResource } from './agent/resource.js'
export type { Refused, Review } from './agent/review.js'
export type { Looked, RunEnd, RunOptions, Situation, StepOutcome } from './agent/run-options.js'
export { ToolCallAgent } from './agent/tool-call-agent.js'
export type { ToolCallAgentOptions } from './agent/tool-call-options.js'
export type { ToolChoice } from './agent/tool-choice.js'
export { BrowserAgent, type BrowserAgentOptions } from './agents/browser-agent.js'
export { MCPAgent, type MCPAgentOptions } from './agents/mcp-agent.js'
export { SandboxAgent, type SandboxAgentOptions } from './agents/sandbox-agent.js'
export { SWEAgent, type SWEAgentOptions } from './agents/swe-agent.js'
export type { Dialect, Labels, ParserOptions, ReadReply, ReplyParser, StepToWrite, Wording, WrittenStep } from './core/dialect.js'
export { type ErrorCode, SaydoError, type SaydoErrorOptions } from './core/errors.js'
export type { AgentEvent, AgentState, ErrorReport } from './core/event.js'
export { type Image, imageOf } from './core/image.js'
export type { JsonObject, JsonSchema, JsonValue } from './core/json.js'
export type { Message, Prompt, Role } from './core/message.js'
export type { Finish, Model, ModelCallOptions, ModelChunk, ModelReply, Usage } from './core/model.js'
export type { Attempted, Decision, Delta, ParsedReply, Problem, ProblemCode, Span } from './core/reply.js'
export {
  type ExecOptions,
  type ExecResult,
  type ExitStatus,
  type Sandbox,
  type SandboxCommand,
  type SandboxEnd,
  type SandboxEntry,
  SandboxError,
  type SandboxErrorCode,
  type SandboxProcess,
  type SpawnOptions,
} from './core/sandbox.js'
export type { StandardSchema } from './core/schema.js'
export type { Artifacts, RunResult, Step, StopReason, Trajectory } from './core/step.js'
export type {
  Approval,
  Ending,
  FailureCode,
  InputCheck,
  InputIssue,
  Observation,
  Tool,
  ToolCall,
  ToolContext,
  ToolEffect,
  ToolFailure,
  ToolSpec,
} from './core/tool.js'
export { type DialectParts, defineDialect } from './dialect/define-dialect.js'
export { dialectByName } from './dialect/index.js'
export { type LabelDialectOptions, labelDialect } from './dialect/label-dialect.js'
export { react } from './dialect/react.js'
export { createReplyParser, parseReply, type ReadOptions } from './dialect/read.js'
export type { CallToWrite, StepWriter } from './dialect/write-step.js'
export { Scratchpad } from './memory/scratchpad.js'
export { type ListModelsOptions, listModels } from './model/list-models.js'
export { type OpenaiModelOptions, openaiModel } from './model/openai.js'
export { type ScriptedModel, type ScriptedReply, scriptedModel } from './model/scripted.js'
export { prettify } from './parse/prettify.js'
export type { Example, ExampleStep, Template, TemplateOptions } from './prompt/index.js'
export { loadTemplate } from './prompt/load-template.js'
export type { Confirm } from './tools/approval.js'
export { type InputSchema, type ToolDefinition, tool } from './tools/define.js'
export { ToolRegistry } from './tools/registry.js'
export { ToolUnavailableError } from './tools/tool-unavailable-error.js'
export { WithImages } from './tools/with-images.js'
export { type AskHumanOptions, type AskPerson, askHumanTool } from './toolsets/ask-human.js'
export type { McpServerSpec } from './toolsets/mcp/server.js'
export { openSandbox } from './toolsets/sandbox/open-sandbox.js'
export type { BackendName, SandboxLimits, SandboxOptions } from './toolsets/sandbox/settings.js'
export { terminateTool } from './toolsets/terminate.js'
export { type HostedTools, type HostOptions, hostTools } from './toolsets/tool-host.js'

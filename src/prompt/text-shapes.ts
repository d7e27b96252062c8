// Each text's name → the data it may use, the written form of the table in core/text.ts.
import type { TextName } from '../core/text.js'
import type { ObjectShape } from './shape.js'

const CORRECTION = {
  'tool?': 'value',
  'near?': ['value'],
  'missing?': ['value'],
  'quote?': 'value',
  tools: ['value'],
  example: 'value',
  answerLabel: 'value',
} as const satisfies ObjectShape

const ISSUES = [{ path: 'value', message: 'value' }] as const

export const TEXT_SHAPES: Readonly<Record<TextName, ObjectShape>> = {
  EMPTY_REPLY: CORRECTION,
  ONLY_THOUGHT: CORRECTION,
  MISSING_INPUT: CORRECTION,
  MISSING_ACTION: CORRECTION,
  MISSING_TOOL: CORRECTION,
  BROKEN_INPUT: CORRECTION,
  AMBIGUOUS_INPUT: CORRECTION,
  DUPLICATE_KEY: CORRECTION,
  FORBIDDEN_KEY: CORRECTION,
  INPUT_TOO_LARGE: CORRECTION,
  TRUNCATED: CORRECTION,
  PLACEHOLDER: CORRECTION,
  UNREADABLE_MARKUP: CORRECTION,
  AMBIGUOUS_CALL: CORRECTION,
  ANSWER_FROM_INVENTED: CORRECTION,
  AMBIGUOUS_OBSERVATION: CORRECTION,
  IN_DOUBT: CORRECTION,
  unknown_tool: { tool: 'value', near: ['value'], tools: ['value'] },
  invalid_input: { tool: 'value', issues: ISSUES, 'example?': 'value' },
  tool_threw: { tool: 'value', message: 'value' },
  tool_timeout: { tool: 'value', seconds: 'value' },
  tool_aborted: { tool: 'value' },
  tool_denied: { tool: 'value', 'reason?': 'value' },
  tool_limited: { tool: 'value', limit: 'value', per: 'value', 'seconds?': 'value' },
  tool_skipped: { tool: 'value', reason: 'value' },
  tool_unavailable: { tool: 'value', message: 'value' },
  no_output: {},
  truncated: { omitted: 'value', total: 'value' },
  steps_omitted: { omitted: 'value' },
  wrap_up: { reason: 'value' },
  stuck: { 'tool?': 'value', 'input?': 'value', task: 'value' },
  tools_disabled: { tool: 'value' },
  call_required: { tools: ['value'] },
  invalid_answer: { issues: ISSUES },
}

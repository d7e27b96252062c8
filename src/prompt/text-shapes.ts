// Each text's name → the data it may use, the written form of the table in core/text.ts.
import { CORRECTION_CODES } from '../core/reply.js'
import type { TextName } from '../core/text.js'
import type { ObjectShape } from './shape.js'

const CORRECTION = {
  'tool?': 'value',
  'near?': ['value'],
  'missing?': ['value'],
  'quote?': 'value',
  'meant?': 'value',
  'atLimit?': 'value',
  'observed?': 'value',
  tools: ['value'],
  example: 'value',
  answerForm: 'value',
} as const satisfies ObjectShape

const CORRECTIONS = Object.fromEntries<ObjectShape>(CORRECTION_CODES.map(code => [code, CORRECTION])) as Record<
  (typeof CORRECTION_CODES)[number],
  ObjectShape
>

const LIMIT = { limit: 'value', 'got?': 'value' } as const satisfies ObjectShape

const ISSUES = [{ path: 'value', message: 'value' }] as const

export const TEXT_SHAPES: Readonly<Record<TextName, ObjectShape>> = {
  ...CORRECTIONS,
  unknown_tool: { tool: 'value', near: ['value'], tools: ['value'] },
  invalid_input: { tool: 'value', issues: ISSUES, 'example?': 'value' },
  tool_threw: { tool: 'value', message: 'value' },
  tool_timeout: { tool: 'value', seconds: 'value' },
  tool_aborted: { tool: 'value' },
  tool_denied: { tool: 'value', 'reason?': 'value' },
  tool_limited: { tool: 'value', limit: 'value', per: 'value', 'seconds?': 'value' },
  tool_skipped: { tool: 'value', reason: 'value' },
  tool_unavailable: { tool: 'value', message: 'value' },
  tool_outcome_unknown: { tool: 'value', 'reason?': 'value' },
  input_changed: { tool: 'value', input: 'value' },
  no_output: {},
  truncated: { omitted: 'value', total: 'value' },
  steps_omitted: { omitted: 'value' },
  turns_omitted: { omitted: 'value' },
  tools_changed: { added: ['value'], removed: ['value'], changed: ['value'], gone: ['value'], back: ['value'] },
  sandbox_state: {
    folder: 'value',
    open: 'value',
    jobs: [{ 'job?': 'value', 'session?': 'value', command: 'value', running: 'value', code: 'value' }],
  },
  wrap_up: { reason: 'value' },
  stuck: { 'tool?': 'value', 'input?': 'value', task: 'value' },
  tools_disabled: { tool: 'value' },
  call_required: { tools: ['value'] },
  invalid_answer: { issues: ISSUES },
  issue_required: { type: 'value' },
  issue_unknown_key: { known: ['value'], 'near?': 'value' },
  issue_type: { type: 'value', 'got?': 'value' },
  issue_at_least: LIMIT,
  issue_at_most: LIMIT,
  issue_more_than: LIMIT,
  issue_less_than: LIMIT,
  issue_multiple_of: LIMIT,
  issue_min_length: LIMIT,
  issue_max_length: LIMIT,
  issue_min_items: LIMIT,
  issue_max_items: LIMIT,
  issue_pattern: { pattern: 'value', 'got?': 'value' },
  issue_format: { format: 'value', 'got?': 'value' },
  issue_object: {},
  issue_long_number: {},
  issue_other: { rule: 'value', message: 'value', 'got?': 'value' },
}

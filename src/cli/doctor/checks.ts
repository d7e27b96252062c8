// The checks of `saydo doctor`, in their order. A further one is a function and a line here.
import type { Exam } from './exam.js'
import type { Finding } from './finding.js'
import { emptyStop, ending, reasoning, speed, stops, streaming, systemTurn, usage } from './reply-checks.js'
import { chat, completions, context, key, modelName, models, reachable } from './server-checks.js'
import { type Trial, trialRun } from './trial-run.js'

export type Check = (exam: Exam, trial: Trial) => Promise<Finding>

export const CHECKS: readonly Check[] = [
  reachable,
  key,
  models,
  chat,
  completions,
  systemTurn,
  streaming,
  ending,
  stops,
  emptyStop,
  usage,
  reasoning,
  speed,
  context,
  modelName,
  trialRun,
]

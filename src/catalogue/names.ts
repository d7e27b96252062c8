// What is thrown, how a call may fail and why a run may end: explained by name.
import type { ErrorCode } from '../core/errors.js'
import type { StopReason } from '../core/step.js'
import type { FailureCode } from '../core/tool.js'
import type { NameEntry } from './entry.js'

export const ERRORS: Readonly<Record<ErrorCode | 'OUTPUT' | 'UNEXPECTED', NameEntry>> = {
  CONFIG: {
    title: 'a setting is wrong',
    why: 'A flag, an option, a file or a combination of them cannot be meant that way. It shows before anything is asked of the world.',
    remedy: 'The message names the place, the hint the fix. Exit code 2.',
  },
  TEMPLATE: {
    title: 'a prompt or a text cannot be rendered',
    why: 'A template names a variable, a helper or a text that does not exist. Templates are checked when they are loaded, not in the middle of a run.',
    remedy: 'The message names file, line and the nearest existing name. Exit code 2.',
  },
  MISSING_PACKAGE: {
    title: 'an optional package is not installed',
    why: 'Some features need a package that most users do not.',
    remedy: 'Install what the hint names. Exit code 2.',
  },
  STATE: {
    title: 'something was asked at the wrong moment',
    why: 'Such as a second run of an agent that is still running.',
    remedy: 'Wait for the first, or use a second agent. Exit code 2.',
  },
  SCRIPT_EXHAUSTED: {
    title: 'a scripted model has no reply left',
    why: 'The run asked for more replies than the script holds: it went another way than the script expects.',
    remedy: 'The message shows the end of the prompt that asked. Exit code 4.',
  },
  MODEL_UNREACHABLE: {
    title: 'nobody answers at the URL',
    why: 'The connection was refused, the name is unknown or the network is down; it has been tried again.',
    remedy: 'Is the server running, is the port right? Exit code 3.',
  },
  MODEL_TIMEOUT: {
    title: 'the endpoint takes too long',
    why: 'No first byte, a pause, or a whole reply beyond the limit.',
    remedy: 'Raise --timeout: a large prompt on a CPU takes minutes. Exit code 3.',
  },
  MODEL_AUTH: {
    title: 'the key was refused',
    why: 'The endpoint answers 401 or 403.',
    remedy: 'Set OPENAI_API_KEY, or name another variable with --api-key-env. Exit code 3.',
  },
  MODEL_NOT_FOUND: {
    title: 'the endpoint knows no such model or path',
    why: 'The model name or the URL is wrong; some servers need it loaded first.',
    remedy: 'Ask the server for its list (/v1/models), and mind the ending of the name. Exit code 3.',
  },
  MODEL_RATE_LIMITED: {
    title: 'too many requests',
    why: 'The endpoint kept answering 429 beyond all retries.',
    remedy: 'Wait, or ask for a higher limit. Exit code 3.',
  },
  MODEL_REFUSED: {
    title: 'the endpoint refuses the request',
    why: 'A parameter or the prompt was not accepted, and leaving optional parameters out did not help.',
    remedy: 'The message holds the words of the server. Exit code 3.',
  },
  MODEL_BAD_RESPONSE: {
    title: 'the answer of the endpoint makes no sense',
    why: 'It is no JSON, no stream of events, or holds no text where the text should be.',
    remedy: 'Is the URL that of the API? Often /v1 is missing, or a proxy answers. Exit code 3.',
  },
  MODEL_BROKEN_STREAM: {
    title: 'a reply broke off',
    why: 'The stream ended without saying how. Half a reply is never read as a whole one; it was asked for again twice.',
    remedy: 'Try --no-stream, or look into the log of the server. Exit code 3.',
  },
  MODEL_CONTEXT: {
    title: 'the prompt is too long for the model',
    why: 'Earlier steps were left out already, and it still does not fit.',
    remedy: 'Start the server with a larger context, lower --max-observe, or give fewer tools. Exit code 3.',
  },
  MODEL_FILTERED: {
    title: 'a filter of the endpoint stopped the reply',
    why: 'The reply, or the prompt, was held back for its content.',
    remedy: 'Rephrase the task, or use another endpoint. Exit code 3.',
  },
  ABORTED: {
    title: 'the run was interrupted',
    why: 'Ctrl-C, or the signal that was given to the run.',
    remedy: 'Nothing is wrong. Exit code 130.',
  },
  SANDBOX: {
    title: 'the sandbox does not hold here',
    why: 'It is installed, but this machine does not let it work, or it was seen to let something out. Nothing is run without it.',
    remedy: 'saydo doctor --agent sandbox says more. Allow what the hint names, or choose another with --sandbox. Exit code 3.',
  },
  JOURNAL_WRITE: {
    title: 'the run cannot be recorded any longer',
    why: 'The disk is full, or failed. The run was stopped before it did anything else, since that would have been on no record.',
    remedy: 'Make room, or name another place with --record FILE; --no-record goes without. Exit code 3.',
  },
  JOURNAL_LOCKED: {
    title: 'another process is writing this record',
    why: 'One run has one writer; a second one would mix two runs up.',
    remedy: 'Wait until the process in the message has ended. Exit code 3.',
  },
  JOURNAL_DAMAGED: {
    title: 'a record has a damaged line in the middle',
    why: 'Each line has a checksum and a number. Only the end of a record can be torn by a crash, and such an end is left out; this is something else.',
    remedy: 'saydo runs salvage FILE COPY saves what stands before the damage. Exit code 3.',
  },
  JOURNAL_VERSION: {
    title: 'a record is written in a newer format',
    why: 'It comes from a later version of saydo. Reading it by half would be guesswork.',
    remedy: 'Use that version. Exit code 3.',
  },
  FIXTURE_INVALID: {
    title: 'a fixture file is not as it should be',
    why: 'It is no YAML, or has a key or a value that a fixture does not have.',
    remedy: 'The message names line and column, and the nearest key that exists. Exit code 4.',
  },
  FIXTURE_VERSION: {
    title: 'a fixture is written in a newer format',
    why: 'It comes from a later version of saydo.',
    remedy: 'Use that version. Exit code 4.',
  },
  FIXTURE_MISSING: {
    title: 'there is no such fixture',
    why: 'A test replays a recorded run, and its file is not there.',
    remedy: 'saydo fixtures from RUN makes one; SAYDO_MODE=auto records it. Exit code 4.',
  },
  FIXTURE_EXHAUSTED: {
    title: 'the run asks for more than was recorded',
    why: 'All recorded replies were played and the model was asked once more: the run went another way than it did then.',
    remedy:
      'Look at what was read differently (saydo fixtures check), or record the rest with saydo fixtures play --mode extend. Exit code 4.',
  },
  FIXTURE_UNUSED: {
    title: 'the run used less than was recorded',
    why: 'Replies or results are left over: the run ended earlier, or went another way than it did then.',
    remedy: 'The message names the first one. Record it anew with SAYDO_MODE=rewrite, or strike it from the file. Exit code 4.',
  },
  FIXTURE_STALE: {
    title: 'the prompt is no longer the one that was recorded',
    why: 'Template, examples, tools, parameters or question changed since, so the model might answer otherwise today. The message names which, and the first line that changed.',
    remedy:
      'saydo fixtures update FILE keeps the replies and takes today’s prompt; SAYDO_MODE=rewrite asks the model again. Exit code 4.',
  },
  FIXTURE_MISMATCH: {
    title: 'the run does something else than was recorded',
    why: 'Another call, another reading or another end than the fixture says. The message shows both.',
    remedy: 'If today’s is right: saydo fixtures update FILE, or vitest -u. Exit code 4.',
  },
  OUTPUT: {
    title: 'stdout cannot be written',
    why: 'The disk is full, or what reads the output failed. A reader that just hangs up is no error.',
    remedy: 'Make room, or write elsewhere. Exit code 3.',
  },
  UNEXPECTED: {
    title: 'a fault that nobody foresaw',
    why: 'Something was thrown that is no error of saydo, or a tool ended the process.',
    remedy: 'Run it again with -v, which prints the stack, and report it. Exit code 1.',
  },
}

export const FAILURES: Readonly<Record<FailureCode, NameEntry>> = {
  unknown_tool: {
    title: 'the call names no registered tool',
    why: 'The model reads which tools there are, nearest name first, and goes on.',
    remedy: 'See UNKNOWN_TOOL.',
  },
  invalid_input: {
    title: 'the input does not fit the schema of the tool',
    why: 'The tool was not called. The model reads each fault with its path, and an input that fits.',
    remedy: 'See INVALID_INPUT; loosen the schema where the tool can cope.',
  },
  threw: {
    title: 'the tool threw an error',
    why: 'Its message is what the model reads; the run goes on.',
    remedy: 'Throw messages that say what to do otherwise: a model reads them.',
  },
  timeout: {
    title: 'the tool gave no result in time',
    why: 'A call has 30 seconds unless the tool or the agent says otherwise. Its signal was aborted.',
    remedy: 'Set timeoutMs on the tool, or toolTimeoutMs on the agent.',
  },
  aborted: {
    title: 'the call was stopped with the run',
    why: 'The run was interrupted while the tool worked.',
    remedy: 'Nothing is wrong.',
  },
  denied: {
    title: 'the call was not allowed',
    why: 'The tool wants to be confirmed, and the answer was no, or nobody could be asked.',
    remedy: 'Answer at the terminal, or --approve all; in code, give the agent a confirm function.',
  },
  limited: {
    title: 'the tool may not be called again',
    why: 'Its limit (maxCallsPerRun, maxCallsPerMinute, maxCallsPerStep) is reached, or the same call gave the same result again and again.',
    remedy: 'Raise the limit, or set repeatable on a tool that is polled.',
  },
  skipped: {
    title: 'the call was left out',
    why: 'A call before it in the same reply ended the run, or was not made.',
    remedy: 'Nothing is wrong.',
  },
  unavailable: {
    title: 'the tool cannot be reached',
    why: 'What stands behind it is gone: a server, a browser, a sandbox.',
    remedy: 'Look at the message; start it again.',
  },
  outcome_unknown: {
    title: 'nobody knows whether the call was done',
    why: 'It was begun, and the run was cut short before its result was on record. It is not made again by itself: that could do a thing twice.',
    remedy:
      'Look whether it was done. A tool that may well be run twice says so with idempotent: true or effect: "none", and is.',
  },
}

export const STOPS: Readonly<Record<StopReason, NameEntry>> = {
  final_answer: { title: 'the model answered', why: 'The only success.', remedy: 'Exit code 0.' },
  best_effort: {
    title: 'a limit was met, and the model answered from what it knew',
    why: 'In a last turn without tools it was asked for an answer. result.reason says which limit it was.',
    remedy: 'Raise that limit, or take the answer for what it is. Exit code 1.',
  },
  gave_up: {
    title: 'the model ended the task without success',
    why: 'It said so itself.',
    remedy: 'Read its last thought. Exit code 1.',
  },
  max_steps: {
    title: 'the step limit is reached',
    why: 'The task was not done within --max-steps, and no answer came in the last turn.',
    remedy: 'Raise --max-steps, or give a smaller task. Exit code 1.',
  },
  stuck: {
    title: 'the model goes in circles',
    why: 'The same calls, results or thoughts came again and again, a hint included, and brought nothing new.',
    remedy: 'Read the steps: an observation that says what to do instead often helps; polled tools want repeatable. Exit code 1.',
  },
  unclear: {
    title: 'several replies in a row could not be read',
    why: 'Each was answered with a correction, three by default (maxFormatErrors). No unreadable reply is ever returned as the answer.',
    remedy:
      'saydo parse on the last reply shows why; often the labels, the stop strings or the template do not suit the model. Exit code 1.',
  },
  budget: {
    title: 'the budget is used up',
    why: 'A limit on tokens or time that was set for the run; the message names it.',
    remedy: 'Raise --deadline or --max-run-tokens. Exit code 1.',
  },
  context: {
    title: 'the conversation no longer fits the model',
    why: 'Even with earlier steps left out.',
    remedy: 'A larger context (and --context-tokens), shorter observations (--max-observe), fewer tools. Exit code 1.',
  },
  denied: {
    title: 'a call that the run needs was not allowed',
    why: 'Somebody said no, and said to stop.',
    remedy: 'Exit code 1.',
  },
  aborted: { title: 'the run was interrupted', why: 'Ctrl-C, or the signal of the run.', remedy: 'Exit code 130.' },
  service_gone: {
    title: 'what the tools work on is gone',
    why: 'A tool server, a browser or a sandbox ended in the middle of the run.',
    remedy: 'Start it again; its own log says why. Exit code 1.',
  },
  error: {
    title: 'something was thrown',
    why: 'The run rejects with it; it stands beside the stop in the events.',
    remedy: 'Look up its code here.',
  },
}

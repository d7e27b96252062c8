// What `import … from 'saydo/transcript'` gives: runs as records on the disk. Apart from the rest, which touches no disk and starts without it.

export { conversationIn, runsIn } from './transcript/conversation.js'
export type { Disk } from './transcript/disk.js'
export { type Fork, forkOf } from './transcript/fork.js'
export { type Journal, type JournalOptions, openJournal } from './transcript/journal.js'
export {
  type JournalReading,
  type RecordedEvent,
  readJournal,
  salvageJournal,
} from './transcript/read-journal.js'
export type { Secrets } from './transcript/secrets.js'
export {
  type Pending,
  type RecordedCall,
  type RecordedTurn,
  type SentPrompt,
  type Transcript,
  transcriptOf,
} from './transcript/transcript.js'

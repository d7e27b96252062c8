// A reply as it came → its text with every character's fate: what was struck is struck through, what was moved underlined, what a problem is about
// numbered.
import type { Problem } from '../../core/reply.js'
import { type Segment, segmentsOf } from '../segments.js'
import type { TraceTurn } from '../trace.js'
import { useMemo, useState } from './preact.js'
import { sizeText, Text } from './text-view.js'
import './reply-view.css'

interface ReplyViewProps {
  readonly turn: TraceTurn
  /** Of the page's elements for this turn. */
  readonly id: string
  readonly lit: ReadonlySet<string>
}

/** Characters that are drawn without asking. */
const DRAWN = 20_000

export function ReplyView({ turn, id, lit }: ReplyViewProps) {
  const { reply, parts = [], fields = [], parsed } = turn
  const text = reply?.text ?? ''
  const problems = parsed?.problems ?? []
  const segments = useMemo(() => segmentsOf(text, parts, fields, problems), [turn])
  const [whole, setWhole] = useState(text.length <= DRAWN)
  const drawn = whole ? segments : upTo(segments, DRAWN)
  return (
    <>
      <pre class="raw">
        {drawn.map((segment, at) => (
          <SegmentView key={at} segment={segment} problems={problems} id={id} lit={lit} />
        ))}
      </pre>
      {text === '' && <p class="quiet">The reply is empty.</p>}
      {!whole && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {sizeText(text.length)}
        </button>
      )}
    </>
  )
}

interface SegmentViewProps {
  readonly segment: Segment
  readonly problems: readonly Problem[]
  readonly id: string
  readonly lit: ReadonlySet<string>
}

function SegmentView({ segment, problems, id, lit }: SegmentViewProps) {
  const { text, fate, field, problems: over, begins } = segment
  const refs = [...(field === undefined ? [] : [`f:${field}`]), ...over.map(at => `p:${at}`)]
  const classes = ['segment', fate, ...(over.length > 0 ? ['odd'] : []), ...(refs.some(ref => lit.has(ref)) ? ['lit'] : [])]
  const title = over.map(at => `${problems[at]?.code}: ${problems[at]?.message}`).join('\n')
  const Tag = fate === 'struck' ? 'del' : 'span'
  return (
    <>
      {begins.map(at => (
        <button
          key={at}
          type="button"
          class="note"
          id={`${id}-r${at}`}
          data-refs={`p:${at}`}
          aria-label={`Problem ${at + 1}: ${problems[at]?.code}, ${fate}`}
          onClick={() => document.getElementById(`${id}-p${at}`)?.focus()}
        >
          {at + 1}
        </button>
      ))}
      <Tag class={classes.join(' ')} data-refs={refs.join('|') || undefined} title={title || undefined}>
        <Text text={text} />
      </Tag>
    </>
  )
}

function upTo(segments: readonly Segment[], most: number): readonly Segment[] {
  let left = most
  const drawn: Segment[] = []
  for (const segment of segments) {
    if (left <= 0) break
    drawn.push({ ...segment, text: segment.text.slice(0, left) })
    left -= segment.text.length
  }
  return drawn
}

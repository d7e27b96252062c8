// The page: the run's head, the tools to look around in it, a comparison when there is one, and the turns.
import type { Compared } from '../compare.js'
import type { ShownRun } from '../page-data.js'
import { isTroubled, isWanted, type Kind, readQuery } from '../search.js'
import { readSecondRun } from '../second-run.js'
import { CompareView } from './compare-view.js'
import { Help } from './help.js'
import { nextPlace, type Place, placeHash, problemPlaces, readPlace } from './place.js'
import { useEffect, useLayoutEffect, useMemo, useState } from './preact.js'
import { RunHead } from './run-head.js'
import { SEARCH_ID, Toolbar } from './toolbar.js'
import { TurnView } from './turn-view.js'
import { useKeys } from './use-keys.js'

/** Runs of no more turns are drawn at once. */
const SMALL = 30

export function App(data: ShownRun) {
  const { trace } = data
  const { turns } = trace
  const [text, setText] = useState('')
  const [kind, setKind] = useState<Kind>('all')
  const [help, setHelp] = useState(false)
  const [second, setSecond] = useState<{ readonly run: Compared; readonly name: string }>()
  const [fault, setFault] = useState<string>()
  const printing = usePrinting()
  const shown = useMemo(() => {
    const query = readQuery(text, kind)
    return turns.flatMap((turn, at) => (isWanted(turn, query) ? [at] : []))
  }, [turns, text, kind])
  const [place, go] = usePlace(data)

  const compareWith = async (file: File): Promise<void> => {
    try {
      setSecond({ run: readSecondRun(await file.text()), name: file.name })
      setFault(undefined)
      document.getElementById('comparison')?.scrollIntoView({ block: 'start' })
    } catch (error) {
      setFault(`${file.name}: ${(error as Error).message}`)
    }
  }
  useDrop(compareWith)

  useKeys({
    j: () => go(nearest(shown, place?.turn ?? -1, 1)),
    k: () => go(nearest(shown, place?.turn ?? 0, -1)),
    r: () => go(nextPlace(problemPlaces(turns, shown), place ?? START)),
    e: () =>
      go(
        nextPlace(
          shown.flatMap(turn => (turns[turn] && isTroubled(turns[turn]) ? [{ turn }] : [])),
          place ?? START,
        ),
      ),
    '/': () => document.getElementById(SEARCH_ID)?.focus(),
    '?': () => setHelp(!help),
    Escape: () => {
      if (help) return setHelp(false)
      if (text !== '') setText('')
      document.getElementById(SEARCH_ID)?.blur()
    },
  })

  return (
    <>
      <RunHead {...data} />
      <Toolbar
        text={text}
        kind={kind}
        shown={shown.length}
        all={turns.length}
        onText={setText}
        onKind={setKind}
        onFile={compareWith}
        onHelp={() => setHelp(true)}
      />
      {fault !== undefined && (
        <p class="fault" role="alert">
          ! {fault}
        </p>
      )}
      {second && <CompareView trace={trace} other={second.run} name={second.name} onClose={() => setSecond(undefined)} />}
      <main>
        {shown.map(at => (
          <TurnView key={at} {...data} at={at} selected={place?.turn === at} drawn={printing || turns.length <= SMALL} />
        ))}
        {shown.length === 0 && <p class="quiet">{turns.length === 0 ? 'Nothing was asked.' : 'No turn has that.'}</p>}
      </main>
      <Help open={help} onClose={() => setHelp(false)} />
    </>
  )
}

/** In ms. */
const SETTLED = 250

const START: Place = { turn: -1 }

/** The next one in that direction, or the last there is. */
function nearest(shown: readonly number[], turn: number, direction: 1 | -1): Place | undefined {
  const next = direction === 1 ? shown.find(at => at > turn) : shown.findLast(at => at < turn)
  const found = next ?? (direction === 1 ? shown.at(-1) : shown[0])
  return found === undefined ? undefined : { turn: found }
}

/** The place that is looked at, kept in the address; going to one brings it into view. */
function usePlace({ trace: { turns }, turn: among }: ShownRun): readonly [Place | undefined, (place: Place | undefined) => void] {
  const [place, setPlace] = useState(() => readPlace(location.hash, turns))
  useLayoutEffect(() => {
    const change = () => setPlace(readPlace(location.hash, turns))
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [turns])
  useLayoutEffect(() => {
    if (place === undefined) return undefined
    const turn = document.getElementById(`t${place.turn}`)
    const spot = place.problem === undefined ? turn : (document.getElementById(`t${place.turn}-r${place.problem}`) ?? turn)
    spot?.focus({ preventScroll: true })
    const show = (): void => {
      turn?.scrollIntoView({ block: 'start' })
      if (spot !== turn) spot?.scrollIntoView({ block: 'nearest' })
    }
    show()
    // what has come near is drawn by then, and may have moved it
    const later = setTimeout(show, SETTLED)
    return () => clearTimeout(later)
  }, [place])
  const go = (next: Place | undefined): void => {
    if (next === undefined) return
    history.replaceState(null, '', placeHash(next, turns, among))
    setPlace(next)
  }
  return [place, go]
}

function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const begin = () => setPrinting(true)
    addEventListener('beforeprint', begin)
    return () => removeEventListener('beforeprint', begin)
  }, [])
  return printing
}

function useDrop(onFile: (file: File) => void): void {
  useEffect(() => {
    const over = (event: DragEvent) => event.preventDefault()
    const drop = (event: DragEvent) => {
      event.preventDefault()
      const [file] = event.dataTransfer?.files ?? []
      if (file) onFile(file)
    }
    addEventListener('dragover', over)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('drop', drop)
    }
  })
}

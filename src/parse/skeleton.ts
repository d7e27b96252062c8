// A line → what it looks like: compatibility forms, no invisible characters, look-alike letters mapped to Latin. Only ever used to cut or flag.

/** The visible skeleton of a short text; `undefined` when it is plain already. */
export function skeleton(text: string): string | undefined {
  let odd = false
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 127) {
      odd = true
      break
    }
  }
  if (!odd) return undefined
  let out = ''
  for (const char of text.normalize('NFKC').normalize('NFD')) {
    const code = char.codePointAt(0) as number
    if (isInvisible(code)) continue
    out += CONFUSABLE[char] ?? char
  }
  return out === text ? undefined : out
}

/** Format characters, variation selectors, tags, joiners, bidi marks and combining marks. */
function isInvisible(code: number): boolean {
  return (
    code === 0xad ||
    code === 0x34f ||
    (code >= 0x300 && code <= 0x36f) ||
    (code >= 0x180b && code <= 0x180f) ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    code === 0x115f ||
    code === 0x1160 ||
    code === 0x3164 ||
    (code >= 0xe0000 && code <= 0xe0fff)
  )
}

/** Letters of other scripts that look like a Latin one, as far as labels are made of them. */
const CONFUSABLE: { readonly [char: string]: string | undefined } = Object.fromEntries(
  (
    [
      ['a', 'аɑα'],
      ['b', 'Ьв'],
      ['c', 'сϲⅽ'],
      ['d', 'ԁⅾ'],
      ['e', 'еєҽ'],
      ['f', 'ẝƒ'],
      ['g', 'ɡց'],
      ['h', 'һհ'],
      ['i', 'іıιⅰ'],
      ['j', 'ј'],
      ['k', 'κк'],
      ['l', 'ӏⅼ'],
      ['m', 'мⅿ'],
      ['n', 'пո'],
      ['o', 'оοօ'],
      ['p', 'рρ'],
      ['q', 'ԛ'],
      ['r', 'гꭇ'],
      ['s', 'ѕꜱ'],
      ['t', 'тτ'],
      ['u', 'υս'],
      ['v', 'ѵνⅴ'],
      ['w', 'ԝѡ'],
      ['x', 'хⅹ'],
      ['y', 'уγ'],
      ['A', 'АΑ'],
      ['B', 'ВΒ'],
      ['C', 'СϹ'],
      ['E', 'ЕΕ'],
      ['F', 'Ϝ'],
      ['H', 'НΗ'],
      ['I', 'ІΙӀ'],
      ['K', 'КΚ'],
      ['M', 'МΜ'],
      ['N', 'Ν'],
      ['O', 'ОΟ'],
      ['P', 'РΡ'],
      ['S', 'Ѕ'],
      ['T', 'ТΤ'],
      ['X', 'ХΧ'],
      ['Y', 'ҮΥ'],
      [':', '∶꞉ː׃'],
    ] as const
  ).flatMap(([plain, likes]) => [...likes].map(like => [like, plain])),
)

// The bundled German examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const german: readonly Example[] = [
  {
    name: 'comparison',
    task: 'Was ist höher, der Uhrturm von Ostrel oder der Pinmoor-Mast?',
    steps: [
      {
        thought: 'Ich brauche die Höhe von beiden. Zuerst der Uhrturm von Ostrel.',
        calls: [{ tool: 'search', input: { query: 'Uhrturm von Ostrel' } }],
        observations: ['Der Uhrturm von Ostrel steht im alten Hafen von Ostrel. Er ist 61 Meter hoch und wurde 1934 fertig.'],
      },
      {
        thought: 'Der Uhrturm von Ostrel ist 61 Meter hoch. Jetzt der Pinmoor-Mast.',
        calls: [{ tool: 'search', input: { query: 'Pinmoor-Mast' } }],
        observations: [
          'Der Pinmoor-Mast ist ein Sendemast auf dem Pinmoorhügel. Mit seinen 148 Metern ist er von der Küste aus zu sehen.',
        ],
      },
      {
        thought:
          'Der Uhrturm von Ostrel hat 61 Meter, der Pinmoor-Mast 148 Meter. Die größere Zahl ist 148, und das ist der Pinmoor-Mast.',
        answer: 'Der Pinmoor-Mast ist höher, mit 148 Metern.',
      },
    ],
  },
  {
    name: 'chain',
    task: 'Wie viele Jahre lang war die Lirren-Seilfähre in Betrieb?',
    steps: [
      {
        thought: 'Ich brauche das erste und das letzte Jahr der Lirren-Seilfähre.',
        calls: [{ tool: 'search', input: { query: 'Lirren-Seilfähre' } }],
        observations: [
          'Die Lirren-Seilfähre fuhr bei Oakstead über den Fluss Lirren. Ihre erste Fahrt war im Mai 1887. Sie trug bis zu vierzig Personen.',
        ],
      },
      {
        thought: 'Sie begann 1887. Wann sie aufhörte, steht noch nicht da, also suche ich danach auf dieser Seite.',
        calls: [{ tool: 'lookup', input: { term: 'letzte Fahrt' } }],
        observations: ['(Treffer 1 / 1) Die letzte Fahrt war im Herbst 1952, als die Straßenbrücke eröffnet wurde.'],
      },
      {
        thought: 'Sie fuhr von 1887 bis 1952. Ich berechne den Unterschied.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      {
        thought: 'Der Unterschied beträgt 65 Jahre.',
        answer: 'Die Lirren-Seilfähre war 65 Jahre lang in Betrieb, von 1887 bis 1952.',
      },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: 'Wie viele Jahre nach der Lirren-Mühle wurde die Lirren-Brücke gebaut?',
    steps: [
      {
        thought: 'Ich brauche beide Jahre. Zuerst die Lirren-Mühle.',
        calls: [{ tool: 'search', input: { query: 'Lirren-Mühle' } }],
        observations: ['Die Lirren-Mühle wurde 1887 gebaut. Sie hatte vierzig Arbeiter.'],
      },
      {
        thought: 'Die Lirren-Mühle wurde 1887 gebaut. Das Jahr der Lirren-Brücke weiß ich noch nicht.',
        calls: [{ tool: 'search', input: { query: 'Lirren-Brücke' } }],
        observations: ['Die Lirren-Brücke wurde 1952 gebaut. Sie ist 80 Meter lang.'],
      },
      {
        thought: 'Die Jahre sind 1887 und 1952. Ich berechne die Differenz.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: 'Die Differenz ist 65 Jahre.', answer: 'Die Lirren-Brücke wurde 65 Jahre nach der Lirren-Mühle gebaut.' },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: 'In eine Kiste passen 14 Gläser. Wie viele Gläser sind in 36 Kisten?',
    steps: [
      {
        thought: 'Ich brauche 14 mal 36.',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14 mal 36 ist 504.', answer: 'Es sind 504 Gläser.' },
    ],
  },
  {
    name: 'unknown term',
    task: 'In welcher Stadt wurde die Malerin von „Das Reihertor“ geboren?',
    steps: [
      {
        thought: 'Ich brauche die Malerin. Zuerst das Gemälde.',
        calls: [{ tool: 'search', input: { query: 'Das Reihertor' } }],
        observations: ['Nichts gefunden zu: Das Reihertor. Ähnlich: [Reihertor (Gemälde), Reihertorgasse, Tor der Reiher]'],
      },
      {
        thought: 'Eine Seite mit diesem Namen gibt es nicht. „Reihertor (Gemälde)“ ist die richtige.',
        calls: [{ tool: 'search', input: { query: 'Reihertor (Gemälde)' } }],
        observations: ['Reihertor ist ein Ölgemälde von Maude Tillery, das 1908 zum ersten Mal gezeigt wurde.'],
      },
      {
        thought: 'Die Malerin ist Maude Tillery. Jetzt ihre Stadt.',
        calls: [{ tool: 'search', input: { query: 'Maude Tillery' } }],
        observations: ['Maude Tillery war Malerin. Sie wurde 1871 in Oakstead geboren.'],
      },
      {
        thought: 'Maude Tillery wurde in Oakstead geboren.',
        answer: 'Die Malerin von „Das Reihertor“ wurde in Oakstead geboren.',
      },
    ],
  },
  {
    name: 'small talk',
    task: 'Guten Morgen! Wie geht es dir?',
    steps: [
      {
        thought: 'Das ist eine Begrüßung. Dafür brauche ich kein Werkzeug.',
        answer: 'Guten Morgen! Mir geht es gut, danke. Was kann ich für dich tun?',
      },
    ],
  },
  {
    name: 'web page',
    task: 'Was kostet die Fähre von Oakstead für ein Kind?',
    steps: [
      {
        thought: 'Die Seite hat einen Link zu den Preisen. Ich klicke darauf.',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "Preise". Now at "Preise" https://ferry.example/preise.'],
      },
      {
        thought: 'Die Seite mit den Preisen ist offen. Ich lese sie ganz.',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# Preise\n\n| Erwachsene | 4 Kronen |\n| Kinder | 2 Kronen |'],
      },
      { thought: 'Kinder zahlen 2 Kronen.', answer: 'Ein Kind zahlt 2 Kronen.' },
    ],
  },
  codeRepair({
    task: 'Der Test der Paketpreise schlägt fehl. Bring das in Ordnung.',
    thoughts: [
      'Ich führe den Test aus, um zu sehen, was fehlschlägt.',
      'Ein Paket von 1 Kilo kostet 2, der Test will 4. Ich sehe mir den Code an.',
      'Es gibt keinen Mindestpreis. Ich setze einen ein und lasse den Rest, wie er ist.',
      'Die Änderung ist gemacht. Erst der Test zeigt, ob sie stimmt.',
      'Der Test läuft jetzt durch.',
    ],
    answer: 'Der Code in fees.js kannte keinen Mindestpreis. Jetzt ist er 4, und der Test läuft durch.',
  }),
  fileWork({
    task: 'Schreibe die Summe der Kilos in parcels.csv nach sum.txt.',
    thoughts: [
      'Zuerst sehe ich nach, wie die Datei aufgebaut ist.',
      'Die zweite Spalte enthält die Kilos. Ich zähle sie zusammen und sehe nach, was geschrieben wurde.',
      'In der Datei steht 17, das sind 3, 5 und 9.',
    ],
    answer: 'Die Summe der Kilos ist 17; sie steht in sum.txt.',
  }),
  resource({
    task: 'Bis wann ist das Hafenbüro von Oakstead geöffnet?',
    thoughts: [
      'Das weiß ich nicht. Ich sehe nach, was der Server hat.',
      'Es gibt Öffnungszeiten. Ich lese sie.',
      'An Werktagen ist das Büro von 7 bis 16 Uhr geöffnet.',
    ],
    answer: 'Das Hafenbüro von Oakstead ist an Werktagen bis 16 Uhr geöffnet.',
  }),
]

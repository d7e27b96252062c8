// The bundled Italian examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const italian: readonly Example[] = [
  {
    name: 'comparison',
    task: "Che cosa è più alto, la Torre dell'Orologio di Ostrel o il Traliccio di Pinmoor?",
    steps: [
      {
        thought: "Mi serve l'altezza di entrambi. Prima la Torre dell'Orologio di Ostrel.",
        calls: [{ tool: 'search', input: { query: "Torre dell'Orologio di Ostrel" } }],
        observations: [
          "La Torre dell'Orologio di Ostrel si trova nel porto vecchio di Ostrel. È alta 61 metri e fu completata nel 1934.",
        ],
      },
      {
        thought: "La Torre dell'Orologio di Ostrel è alta 61 metri. Ora il Traliccio di Pinmoor.",
        calls: [{ tool: 'search', input: { query: 'Traliccio di Pinmoor' } }],
        observations: [
          "Il Traliccio di Pinmoor è un'antenna radio sulla collina di Pinmoor. Con i suoi 148 metri si vede dalla costa.",
        ],
      },
      {
        thought:
          "La Torre dell'Orologio di Ostrel è di 61 metri, il Traliccio di Pinmoor di 148 metri. Il numero maggiore è 148, ed è quello del Traliccio di Pinmoor.",
        answer: 'Il Traliccio di Pinmoor è più alto, con 148 metri.',
      },
    ],
  },
  {
    name: 'chain',
    task: 'Per quanti anni è stato in servizio il traghetto a fune di Lirren?',
    steps: [
      {
        thought: "Mi servono il primo e l'ultimo anno del traghetto a fune di Lirren.",
        calls: [{ tool: 'search', input: { query: 'Traghetto a fune di Lirren' } }],
        observations: [
          'Il traghetto a fune di Lirren attraversava il fiume Lirren a Oakstead. La prima traversata fu nel maggio 1887. Portava fino a quaranta persone.',
        ],
      },
      {
        thought: 'Ha iniziato nel 1887. Il testo non dice ancora quando ha smesso, quindi lo cerco in questa pagina.',
        calls: [{ tool: 'lookup', input: { term: 'ultima traversata' } }],
        observations: ["(Risultato 1 / 1) L'ultima traversata fu nell'autunno del 1952, quando aprì il ponte stradale."],
      },
      {
        thought: 'È andato dal 1887 al 1952. Calcolo la differenza.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      {
        thought: 'La differenza è di 65 anni.',
        answer: 'Il traghetto a fune di Lirren è stato in servizio per 65 anni, dal 1887 al 1952.',
      },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: 'Quanti anni dopo il mulino di Lirren è stato costruito il ponte di Lirren?',
    steps: [
      {
        thought: 'Mi servono entrambi gli anni. Prima il mulino di Lirren.',
        calls: [{ tool: 'search', input: { query: 'Mulino di Lirren' } }],
        observations: ['Il mulino di Lirren è stato costruito nel 1887. Aveva quaranta operai.'],
      },
      {
        thought: "Il mulino di Lirren è stato costruito nel 1887. Non so ancora l'anno del ponte di Lirren.",
        calls: [{ tool: 'search', input: { query: 'Ponte di Lirren' } }],
        observations: ['Il ponte di Lirren è stato costruito nel 1952. È lungo 80 metri.'],
      },
      {
        thought: 'Gli anni sono 1887 e 1952. Calcolo la differenza.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      {
        thought: 'La differenza è di 65 anni.',
        answer: 'Il ponte di Lirren è stato costruito 65 anni dopo il mulino di Lirren.',
      },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: 'In una cassa ci sono 14 vasetti. Quanti vasetti ci sono in 36 casse?',
    steps: [
      {
        thought: 'Mi serve 14 per 36.',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14 per 36 fa 504.', answer: 'Ci sono 504 vasetti.' },
    ],
  },
  {
    name: 'unknown term',
    task: 'In quale città è nata la pittrice de La porta degli aironi?',
    steps: [
      {
        thought: 'Mi serve la pittrice. Prima il quadro.',
        calls: [{ tool: 'search', input: { query: 'La porta degli aironi' } }],
        observations: [
          'Nessun risultato per: La porta degli aironi. Simili: [Porta degli aironi (dipinto), Via della Porta degli Aironi, Porta di aironi]',
        ],
      },
      {
        thought: "Non c'è una pagina con questo nome. Quella giusta è «Porta degli aironi (dipinto)».",
        calls: [{ tool: 'search', input: { query: 'Porta degli aironi (dipinto)' } }],
        observations: ['Porta degli aironi è un dipinto a olio di Maude Tillery, esposto per la prima volta nel 1908.'],
      },
      {
        thought: 'La pittrice è Maude Tillery. Ora la sua città.',
        calls: [{ tool: 'search', input: { query: 'Maude Tillery' } }],
        observations: ['Maude Tillery era una pittrice. È nata a Oakstead nel 1871.'],
      },
      { thought: 'Maude Tillery è nata a Oakstead.', answer: 'La pittrice de La porta degli aironi è nata a Oakstead.' },
    ],
  },
  {
    name: 'small talk',
    task: 'Buongiorno! Come stai?',
    steps: [
      {
        thought: 'È un saluto. Non mi serve nessuno strumento.',
        answer: 'Buongiorno! Sto bene, grazie. Che cosa posso fare per te?',
      },
    ],
  },
  {
    name: 'web page',
    task: 'Quanto costa il traghetto di Oakstead per un bambino?',
    steps: [
      {
        thought: 'La pagina ha un link ai prezzi. Ci clicco sopra.',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "Prezzi". Now at "Prezzi" https://ferry.example/prezzi.'],
      },
      {
        thought: 'La pagina dei prezzi è aperta. La leggo tutta.',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# Prezzi\n\n| Adulti | 4 corone |\n| Bambini | 2 corone |'],
      },
      { thought: 'I bambini pagano 2 corone.', answer: 'Un bambino paga 2 corone.' },
    ],
  },
  codeRepair({
    task: 'Il test delle tariffe dei pacchi fallisce. Riparalo.',
    thoughts: [
      'Eseguo il test per vedere che cosa fallisce.',
      'Un pacco di 1 chilo costa 2, il test vuole 4. Guardo il codice.',
      "Manca una tariffa minima. La metto e lascio il resto com'è.",
      'La modifica è fatta. Solo il test mostra se è giusta.',
      'Ora il test passa.',
    ],
    answer: 'Il codice in fees.js non aveva una tariffa minima. Ora è 4, e il test passa.',
  }),
  fileWork({
    task: 'Scrivi in sum.txt la somma dei chili di parcels.csv.',
    thoughts: [
      "Prima guardo com'è fatto il file.",
      'La seconda colonna contiene i chili. La sommo e guardo che cosa è stato scritto.',
      'Il file contiene 17, cioè 3, 5 e 9.',
    ],
    answer: 'La somma dei chili è 17; si trova in sum.txt.',
  }),
  resource({
    task: "Fino a che ora è aperto l'ufficio del porto di Oakstead?",
    thoughts: [
      'Non lo so. Guardo che cosa ha il server.',
      "C'è un orario d'ufficio. Lo leggo.",
      "Nei giorni feriali l'ufficio è aperto dalle 7 alle 16.",
    ],
    answer: "L'ufficio del porto di Oakstead è aperto fino alle 16 nei giorni feriali.",
  }),
]

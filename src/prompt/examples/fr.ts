// The bundled French examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const french: readonly Example[] = [
  {
    name: 'comparison',
    task: "Qu'est-ce qui est le plus haut, la tour de l'Horloge d'Ostrel ou le mât de Pinmoor ?",
    steps: [
      {
        thought: "Il me faut la hauteur des deux. D'abord la tour de l'Horloge d'Ostrel.",
        calls: [{ tool: 'search', input: { query: "Tour de l'Horloge d'Ostrel" } }],
        observations: [
          "La tour de l'Horloge d'Ostrel se dresse dans le vieux port d'Ostrel. Elle mesure 61 mètres et a été achevée en 1934.",
        ],
      },
      {
        thought: "La tour de l'Horloge d'Ostrel mesure 61 mètres. Maintenant le mât de Pinmoor.",
        calls: [{ tool: 'search', input: { query: 'Mât de Pinmoor' } }],
        observations: [
          'Le mât de Pinmoor est une antenne de radio sur la colline de Pinmoor. Avec ses 148 mètres, on le voit depuis la côte.',
        ],
      },
      {
        thought:
          "La tour de l'Horloge d'Ostrel mesure 61 mètres, le mât de Pinmoor 148 mètres. Le plus grand nombre est 148, et c'est celui du mât de Pinmoor.",
        answer: 'Le mât de Pinmoor est plus haut, avec 148 mètres.',
      },
    ],
  },
  {
    name: 'chain',
    task: "Pendant combien d'années le bac de Lirren a-t-il été en service ?",
    steps: [
      {
        thought: 'Il me faut la première et la dernière année du bac de Lirren.',
        calls: [{ tool: 'search', input: { query: 'Bac de Lirren' } }],
        observations: [
          "Le bac de Lirren traversait la Lirren à Oakstead. Sa première traversée date de mai 1887. Il portait jusqu'à quarante personnes.",
        ],
      },
      {
        thought: "Il a commencé en 1887. Le texte ne dit pas encore quand il s'est arrêté, alors je le cherche dans cette page.",
        calls: [{ tool: 'lookup', input: { term: 'dernière traversée' } }],
        observations: ["(Résultat 1 / 1) La dernière traversée eut lieu à l'automne 1952, à l'ouverture du pont routier."],
      },
      {
        thought: 'Il a circulé de 1887 à 1952. Je calcule la différence.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: 'La différence est de 65 ans.', answer: 'Le bac de Lirren a été en service pendant 65 ans, de 1887 à 1952.' },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: "Combien d'années après le moulin de Lirren le pont de Lirren a-t-il été construit ?",
    steps: [
      {
        thought: "Il me faut les deux années. D'abord le moulin de Lirren.",
        calls: [{ tool: 'search', input: { query: 'Moulin de Lirren' } }],
        observations: ['Le moulin de Lirren a été construit en 1887. Il avait quarante ouvriers.'],
      },
      {
        thought: "Le moulin de Lirren a été construit en 1887. Je ne connais pas encore l'année du pont de Lirren.",
        calls: [{ tool: 'search', input: { query: 'Pont de Lirren' } }],
        observations: ['Le pont de Lirren a été construit en 1952. Il mesure 80 mètres de long.'],
      },
      {
        thought: 'Les années sont 1887 et 1952. Je calcule la différence.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: 'La différence est de 65 ans.', answer: 'Le pont de Lirren a été construit 65 ans après le moulin de Lirren.' },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: 'Une caisse contient 14 bocaux. Combien de bocaux y a-t-il dans 36 caisses ?',
    steps: [
      {
        thought: 'Il me faut 14 fois 36.',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14 fois 36 font 504.', answer: 'Il y a 504 bocaux.' },
    ],
  },
  {
    name: 'unknown term',
    task: 'Dans quelle ville est née la peintre de La Porte aux hérons ?',
    steps: [
      {
        thought: "Il me faut la peintre. D'abord le tableau.",
        calls: [{ tool: 'search', input: { query: 'La Porte aux hérons' } }],
        observations: [
          'Rien trouvé pour : La Porte aux hérons. Proche : [Porte aux hérons (tableau), Rue de la Porte-aux-Hérons, Porte des hérons]',
        ],
      },
      {
        thought: 'Aucune page ne porte ce nom. « Porte aux hérons (tableau) » est la bonne.',
        calls: [{ tool: 'search', input: { query: 'Porte aux hérons (tableau)' } }],
        observations: ['La Porte aux hérons est une huile sur toile de Maude Tillery, montrée pour la première fois en 1908.'],
      },
      {
        thought: 'La peintre est Maude Tillery. Maintenant sa ville.',
        calls: [{ tool: 'search', input: { query: 'Maude Tillery' } }],
        observations: ['Maude Tillery était une peintre. Elle est née à Oakstead en 1871.'],
      },
      { thought: 'Maude Tillery est née à Oakstead.', answer: 'La peintre de La Porte aux hérons est née à Oakstead.' },
    ],
  },
  {
    name: 'small talk',
    task: 'Bonjour ! Comment vas-tu ?',
    steps: [
      {
        thought: "C'est une salutation. Je n'ai besoin d'aucun outil.",
        answer: 'Bonjour ! Je vais bien, merci. Que puis-je faire pour toi ?',
      },
    ],
  },
  {
    name: 'web page',
    task: "Combien coûte le bac d'Oakstead pour un enfant ?",
    steps: [
      {
        thought: 'La page a un lien vers les prix. Je clique dessus.',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "Prix". Now at "Prix" https://ferry.example/prix.'],
      },
      {
        thought: 'La page des prix est ouverte. Je la lis en entier.',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# Prix\n\n| Adultes | 4 couronnes |\n| Enfants | 2 couronnes |'],
      },
      { thought: 'Les enfants paient 2 couronnes.', answer: 'Un enfant paie 2 couronnes.' },
    ],
  },
  codeRepair({
    task: 'Le test des tarifs de colis échoue. Répare-le.',
    thoughts: [
      'Je lance le test pour voir ce qui échoue.',
      'Un colis de 1 kilo coûte 2, le test veut 4. Je regarde le code.',
      "Il n'y a pas de tarif minimum. J'en mets un et je laisse le reste tel quel.",
      'La modification est faite. Seul le test montre si elle est juste.',
      'Le test passe maintenant.',
    ],
    answer: "Le code de fees.js n'avait pas de tarif minimum. Il est maintenant de 4, et le test passe.",
  }),
  fileWork({
    task: 'Écris la somme des kilos de parcels.csv dans sum.txt.',
    thoughts: [
      "D'abord je regarde comment le fichier est fait.",
      "La deuxième colonne contient les kilos. Je l'additionne et je regarde ce qui a été écrit.",
      'Le fichier contient 17, soit 3, 5 et 9.',
    ],
    answer: 'La somme des kilos est 17 ; elle est dans sum.txt.',
  }),
  resource({
    task: "Jusqu'à quelle heure le bureau du port d'Oakstead est-il ouvert ?",
    thoughts: [
      'Je ne le sais pas. Je regarde ce que le serveur propose.',
      "Il y a les heures d'ouverture. Je les lis.",
      'En semaine, le bureau est ouvert de 7 à 16 heures.',
    ],
    answer: "Le bureau du port d'Oakstead est ouvert jusqu'à 16 heures en semaine.",
  }),
]

// The bundled Portuguese examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const portuguese: readonly Example[] = [
  {
    name: 'comparison',
    task: 'O que é mais alto, a Torre do Relógio de Ostrel ou o Mastro de Pinmoor?',
    steps: [
      {
        thought: 'Preciso da altura dos dois. Primeiro, a Torre do Relógio de Ostrel.',
        calls: [{ tool: 'search', input: { query: 'Torre do Relógio de Ostrel' } }],
        observations: [
          'A Torre do Relógio de Ostrel fica no porto velho de Ostrel. Tem 61 metros de altura e foi concluída em 1934.',
        ],
      },
      {
        thought: 'A Torre do Relógio de Ostrel tem 61 metros de altura. Agora, o Mastro de Pinmoor.',
        calls: [{ tool: 'search', input: { query: 'Mastro de Pinmoor' } }],
        observations: [
          'O Mastro de Pinmoor é uma antena de rádio no morro de Pinmoor. Com seus 148 metros, pode ser visto da costa.',
        ],
      },
      {
        thought:
          'A Torre do Relógio de Ostrel tem 61 metros, o Mastro de Pinmoor tem 148 metros. O número maior é 148, e é o do Mastro de Pinmoor.',
        answer: 'O Mastro de Pinmoor é mais alto, com 148 metros.',
      },
    ],
  },
  {
    name: 'chain',
    task: 'Por quantos anos a balsa de Lirren funcionou?',
    steps: [
      {
        thought: 'Preciso do primeiro e do último ano da balsa de Lirren.',
        calls: [{ tool: 'search', input: { query: 'Balsa de Lirren' } }],
        observations: [
          'A balsa de Lirren atravessava o rio Lirren em Oakstead. A primeira travessia foi em maio de 1887. Ela levava até quarenta pessoas.',
        ],
      },
      {
        thought: 'Ela começou em 1887. O texto ainda não diz quando parou, então procuro isso nesta página.',
        calls: [{ tool: 'lookup', input: { term: 'última travessia' } }],
        observations: ['(Resultado 1 / 1) A última travessia foi no outono de 1952, quando a ponte da estrada foi aberta.'],
      },
      {
        thought: 'Ela funcionou de 1887 a 1952. Calculo a diferença.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: 'A diferença é de 65 anos.', answer: 'A balsa de Lirren funcionou por 65 anos, de 1887 a 1952.' },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: 'Quantos anos depois do moinho de Lirren foi construída a ponte de Lirren?',
    steps: [
      {
        thought: 'Preciso dos dois anos. Primeiro, o moinho de Lirren.',
        calls: [{ tool: 'search', input: { query: 'Moinho de Lirren' } }],
        observations: ['O moinho de Lirren foi construído em 1887. Tinha quarenta operários.'],
      },
      {
        thought: 'O moinho de Lirren foi construído em 1887. Ainda não sei o ano da ponte de Lirren.',
        calls: [{ tool: 'search', input: { query: 'Ponte de Lirren' } }],
        observations: ['A ponte de Lirren foi construída em 1952. Tem 80 metros de comprimento.'],
      },
      {
        thought: 'Os anos são 1887 e 1952. Calculo a diferença.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: 'A diferença é de 65 anos.', answer: 'A ponte de Lirren foi construída 65 anos depois do moinho de Lirren.' },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: 'Em uma caixa cabem 14 potes. Quantos potes há em 36 caixas?',
    steps: [
      {
        thought: 'Preciso de 14 vezes 36.',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14 vezes 36 são 504.', answer: 'Há 504 potes.' },
    ],
  },
  {
    name: 'unknown term',
    task: 'Em que cidade nasceu a pintora de O Portão das Garças?',
    steps: [
      {
        thought: 'Preciso da pintora. Primeiro, o quadro.',
        calls: [{ tool: 'search', input: { query: 'O Portão das Garças' } }],
        observations: [
          'Nada encontrado para: O Portão das Garças. Parecidos: [Portão das Garças (quadro), Rua do Portão das Garças, Portão de Garças]',
        ],
      },
      {
        thought: 'Não há página com esse nome. A certa é "Portão das Garças (quadro)".',
        calls: [{ tool: 'search', input: { query: 'Portão das Garças (quadro)' } }],
        observations: ['Portão das Garças é uma pintura a óleo de Maude Tillery, exposta pela primeira vez em 1908.'],
      },
      {
        thought: 'A pintora é Maude Tillery. Agora, a cidade dela.',
        calls: [{ tool: 'search', input: { query: 'Maude Tillery' } }],
        observations: ['Maude Tillery foi uma pintora. Nasceu em Oakstead em 1871.'],
      },
      { thought: 'Maude Tillery nasceu em Oakstead.', answer: 'A pintora de O Portão das Garças nasceu em Oakstead.' },
    ],
  },
  {
    name: 'small talk',
    task: 'Bom dia! Como vai você?',
    steps: [
      {
        thought: 'É um cumprimento. Não preciso de nenhuma ferramenta.',
        answer: 'Bom dia! Vou bem, obrigado. Em que posso ajudar?',
      },
    ],
  },
  {
    name: 'web page',
    task: 'Quanto custa a balsa de Oakstead para uma criança?',
    steps: [
      {
        thought: 'A página tem um link para os preços. Clico nele.',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "Preços". Now at "Preços" https://ferry.example/precos.'],
      },
      {
        thought: 'A página de preços está aberta. Leio tudo.',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# Preços\n\n| Adultos | 4 coroas |\n| Crianças | 2 coroas |'],
      },
      { thought: 'As crianças pagam 2 coroas.', answer: 'Uma criança paga 2 coroas.' },
    ],
  },
  codeRepair({
    task: 'O teste das tarifas de encomendas falha. Conserte isso.',
    thoughts: [
      'Executo o teste para ver o que falha.',
      'Uma encomenda de 1 quilo custa 2, o teste quer 4. Olho o código.',
      'Não há tarifa mínima. Coloco uma e deixo o resto como está.',
      'A mudança está feita. Só o teste mostra se ela está certa.',
      'Agora o teste passa.',
    ],
    answer: 'O código em fees.js não tinha tarifa mínima. Agora ela é 4, e o teste passa.',
  }),
  fileWork({
    task: 'Escreva em sum.txt a soma dos quilos de parcels.csv.',
    thoughts: [
      'Primeiro olho como o arquivo é feito.',
      'A segunda coluna tem os quilos. Somo a coluna e olho o que foi escrito.',
      'O arquivo contém 17, que são 3, 5 e 9.',
    ],
    answer: 'A soma dos quilos é 17; está em sum.txt.',
  }),
  resource({
    task: 'Até que horas o escritório do porto de Oakstead fica aberto?',
    thoughts: [
      'Não sei isso. Olho o que o servidor tem.',
      'Há um horário do escritório. Leio o horário.',
      'Nos dias úteis o escritório abre das 7 às 16.',
    ],
    answer: 'O escritório do porto de Oakstead fica aberto até as 16 nos dias úteis.',
  }),
]

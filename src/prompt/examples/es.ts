// The bundled Spanish examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const spanish: readonly Example[] = [
  {
    name: 'comparison',
    task: '¿Qué es más alto, la Torre del Reloj de Ostrel o el Mástil de Pinmoor?',
    steps: [
      {
        thought: 'Necesito la altura de los dos. Primero la Torre del Reloj de Ostrel.',
        calls: [{ tool: 'search', input: { query: 'Torre del Reloj de Ostrel' } }],
        observations: ['La Torre del Reloj de Ostrel está en el puerto viejo de Ostrel. Mide 61 metros y se terminó en 1934.'],
      },
      {
        thought: 'La Torre del Reloj de Ostrel mide 61 metros. Ahora el Mástil de Pinmoor.',
        calls: [{ tool: 'search', input: { query: 'Mástil de Pinmoor' } }],
        observations: [
          'El Mástil de Pinmoor es una antena de radio en la colina de Pinmoor. Con sus 148 metros se ve desde la costa.',
        ],
      },
      {
        thought:
          'La Torre del Reloj de Ostrel mide 61 metros, el Mástil de Pinmoor 148 metros. El número mayor es 148, y es el del Mástil de Pinmoor.',
        answer: 'El Mástil de Pinmoor es más alto, con 148 metros.',
      },
    ],
  },
  {
    name: 'chain',
    task: '¿Cuántos años estuvo en servicio el transbordador de cable de Lirren?',
    steps: [
      {
        thought: 'Necesito el primer y el último año del transbordador de cable de Lirren.',
        calls: [{ tool: 'search', input: { query: 'Transbordador de cable de Lirren' } }],
        observations: [
          'El transbordador de cable de Lirren cruzaba el río Lirren en Oakstead. Su primer viaje fue en mayo de 1887. Llevaba hasta cuarenta personas.',
        ],
      },
      {
        thought: 'Empezó en 1887. El texto aún no dice cuándo terminó, así que lo busco en esta página.',
        calls: [{ tool: 'lookup', input: { term: 'último viaje' } }],
        observations: ['(Resultado 1 / 1) El último viaje fue en otoño de 1952, cuando se abrió el puente de la carretera.'],
      },
      {
        thought: 'Funcionó de 1887 a 1952. Calculo la diferencia.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      {
        thought: 'La diferencia es de 65 años.',
        answer: 'El transbordador de cable de Lirren estuvo en servicio 65 años, de 1887 a 1952.',
      },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: '¿Cuántos años después del molino de Lirren se construyó el puente de Lirren?',
    steps: [
      {
        thought: 'Necesito los dos años. Primero el molino de Lirren.',
        calls: [{ tool: 'search', input: { query: 'Molino de Lirren' } }],
        observations: ['El molino de Lirren se construyó en 1887. Tenía cuarenta obreros.'],
      },
      {
        thought: 'El molino de Lirren se construyó en 1887. Aún no sé el año del puente de Lirren.',
        calls: [{ tool: 'search', input: { query: 'Puente de Lirren' } }],
        observations: ['El puente de Lirren se construyó en 1952. Mide 80 metros de largo.'],
      },
      {
        thought: 'Los años son 1887 y 1952. Calculo la diferencia.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      {
        thought: 'La diferencia es de 65 años.',
        answer: 'El puente de Lirren se construyó 65 años después del molino de Lirren.',
      },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: 'En una caja caben 14 frascos. ¿Cuántos frascos hay en 36 cajas?',
    steps: [
      {
        thought: 'Necesito 14 por 36.',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14 por 36 son 504.', answer: 'Hay 504 frascos.' },
    ],
  },
  {
    name: 'unknown term',
    task: '¿En qué ciudad nació la pintora de La puerta de las garzas?',
    steps: [
      {
        thought: 'Necesito la pintora. Primero el cuadro.',
        calls: [{ tool: 'search', input: { query: 'La puerta de las garzas' } }],
        observations: [
          'No se encontró: La puerta de las garzas. Parecidos: [Puerta de las garzas (cuadro), Calle de la Puerta de las Garzas, Puerta de garzas]',
        ],
      },
      {
        thought: 'No hay ninguna página con ese nombre. La correcta es «Puerta de las garzas (cuadro)».',
        calls: [{ tool: 'search', input: { query: 'Puerta de las garzas (cuadro)' } }],
        observations: ['Puerta de las garzas es un óleo de Maude Tillery, expuesto por primera vez en 1908.'],
      },
      {
        thought: 'La pintora es Maude Tillery. Ahora su ciudad.',
        calls: [{ tool: 'search', input: { query: 'Maude Tillery' } }],
        observations: ['Maude Tillery fue una pintora. Nació en Oakstead en 1871.'],
      },
      { thought: 'Maude Tillery nació en Oakstead.', answer: 'La pintora de La puerta de las garzas nació en Oakstead.' },
    ],
  },
  {
    name: 'small talk',
    task: '¡Buenos días! ¿Cómo estás?',
    steps: [
      {
        thought: 'Es un saludo. No necesito ninguna herramienta.',
        answer: '¡Buenos días! Estoy bien, gracias. ¿En qué puedo ayudarte?',
      },
    ],
  },
  {
    name: 'web page',
    task: '¿Cuánto cuesta el transbordador de Oakstead para un niño?',
    steps: [
      {
        thought: 'La página tiene un enlace a los precios. Hago clic en él.',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "Precios". Now at "Precios" https://ferry.example/precios.'],
      },
      {
        thought: 'La página de precios está abierta. La leo entera.',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# Precios\n\n| Adultos | 4 coronas |\n| Niños | 2 coronas |'],
      },
      { thought: 'Los niños pagan 2 coronas.', answer: 'Un niño paga 2 coronas.' },
    ],
  },
  codeRepair({
    task: 'La prueba de las tarifas de paquetes falla. Arréglala.',
    thoughts: [
      'Ejecuto la prueba para ver qué falla.',
      'Un paquete de 1 kilo cuesta 2 y la prueba quiere 4. Miro el código.',
      'No hay tarifa mínima. Pongo una y dejo el resto como está.',
      'El cambio está hecho. Solo la prueba muestra si es correcto.',
      'Ahora la prueba pasa.',
    ],
    answer: 'El código de fees.js no tenía tarifa mínima. Ahora es 4 y la prueba pasa.',
  }),
  fileWork({
    task: 'Escribe en sum.txt la suma de los kilos de parcels.csv.',
    thoughts: [
      'Primero miro cómo está hecho el archivo.',
      'La segunda columna tiene los kilos. La sumo y miro lo que se ha escrito.',
      'El archivo contiene 17, que son 3, 5 y 9.',
    ],
    answer: 'La suma de los kilos es 17; está en sum.txt.',
  }),
  resource({
    task: '¿Hasta qué hora abre la oficina del puerto de Oakstead?',
    thoughts: [
      'No lo sé. Miro qué tiene el servidor.',
      'Hay un horario de oficina. Lo leo.',
      'Los días laborables la oficina abre de 7 a 16.',
    ],
    answer: 'La oficina del puerto de Oakstead abre hasta las 16 los días laborables.',
  }),
]

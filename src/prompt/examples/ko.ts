// The bundled Korean examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const korean: readonly Example[] = [
  {
    name: 'comparison',
    task: '오스트렐 시계탑과 핀무어 송신탑 중 어느 것이 더 높나요?',
    steps: [
      {
        thought: '둘의 높이가 필요합니다. 먼저 오스트렐 시계탑을 찾아봅니다.',
        calls: [{ tool: 'search', input: { query: '오스트렐 시계탑' } }],
        observations: ['오스트렐 시계탑은 오스트렐의 옛 항구에 서 있습니다. 높이는 61미터이고 1934년에 완공되었습니다.'],
      },
      {
        thought: '오스트렐 시계탑은 61미터입니다. 이제 핀무어 송신탑을 찾아봅니다.',
        calls: [{ tool: 'search', input: { query: '핀무어 송신탑' } }],
        observations: ['핀무어 송신탑은 핀무어 언덕에 있는 전파탑입니다. 높이가 148미터라서 해안에서도 보입니다.'],
      },
      {
        thought: '오스트렐 시계탑은 61미터, 핀무어 송신탑은 148미터입니다. 더 큰 수는 148이고, 그것은 핀무어 송신탑입니다.',
        answer: '핀무어 송신탑이 148미터로 더 높습니다.',
      },
    ],
  },
  {
    name: 'chain',
    task: '리렌 줄배는 몇 년 동안 운행되었나요?',
    steps: [
      {
        thought: '리렌 줄배의 첫해와 마지막 해가 필요합니다.',
        calls: [{ tool: 'search', input: { query: '리렌 줄배' } }],
        observations: [
          '리렌 줄배는 오크스테드에서 리렌강을 건넜습니다. 첫 운행은 1887년 5월이었습니다. 마흔 명까지 탈 수 있었습니다.',
        ],
      },
      {
        thought: '1887년에 시작했습니다. 언제 끝났는지는 아직 나오지 않아서 이 문서에서 찾아봅니다.',
        calls: [{ tool: 'lookup', input: { term: '마지막 운행' } }],
        observations: ['(결과 1 / 1) 마지막 운행은 도로 다리가 열린 1952년 가을이었습니다.'],
      },
      {
        thought: '1887년부터 1952년까지 운행했습니다. 차이를 계산합니다.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: '차이는 65년입니다.', answer: '리렌 줄배는 1887년부터 1952년까지 65년 동안 운행되었습니다.' },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: '리렌 다리는 리렌 방앗간보다 몇 년 뒤에 지어졌나요?',
    steps: [
      {
        thought: '두 해가 모두 필요합니다. 먼저 리렌 방앗간을 찾아봅니다.',
        calls: [{ tool: 'search', input: { query: '리렌 방앗간' } }],
        observations: ['리렌 방앗간은 1887년에 지어졌습니다. 일꾼이 40명 있었습니다.'],
      },
      {
        thought: '리렌 방앗간은 1887년에 지어졌습니다. 리렌 다리의 해는 아직 모릅니다.',
        calls: [{ tool: 'search', input: { query: '리렌 다리' } }],
        observations: ['리렌 다리는 1952년에 지어졌습니다. 길이는 80미터입니다.'],
      },
      {
        thought: '두 해는 1887년과 1952년입니다. 차이를 계산합니다.',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: '차이는 65년입니다.', answer: '리렌 다리는 리렌 방앗간보다 65년 뒤에 지어졌습니다.' },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: '한 상자에 병이 14개 들어갑니다. 36상자에는 병이 몇 개 있나요?',
    steps: [
      {
        thought: '14 곱하기 36을 계산합니다.',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14 곱하기 36은 504입니다.', answer: '병은 504개입니다.' },
    ],
  },
  {
    name: 'unknown term',
    task: "'왜가리의 문'을 그린 화가는 어느 도시에서 태어났나요?",
    steps: [
      {
        thought: '화가가 필요합니다. 먼저 그림을 검색합니다.',
        calls: [{ tool: 'search', input: { query: '왜가리의 문' } }],
        observations: ["'왜가리의 문'을 찾을 수 없습니다. 비슷한 항목: [왜가리 문 (그림), 왜가리문길, 왜가리들의 문]"],
      },
      {
        thought: "그런 이름의 문서는 없습니다. '왜가리 문 (그림)'이 찾는 것입니다.",
        calls: [{ tool: 'search', input: { query: '왜가리 문 (그림)' } }],
        observations: ['왜가리 문은 모드 틸러리의 유화로, 1908년에 처음 공개되었습니다.'],
      },
      {
        thought: '화가는 모드 틸러리입니다. 이제 태어난 도시를 찾아봅니다.',
        calls: [{ tool: 'search', input: { query: '모드 틸러리' } }],
        observations: ['모드 틸러리는 화가입니다. 1871년 오크스테드에서 태어났습니다.'],
      },
      {
        thought: '모드 틸러리는 오크스테드에서 태어났습니다.',
        answer: "'왜가리의 문'을 그린 화가는 오크스테드에서 태어났습니다.",
      },
    ],
  },
  {
    name: 'small talk',
    task: '안녕하세요! 잘 지내세요?',
    steps: [
      { thought: '인사말입니다. 도구가 필요 없습니다.', answer: '안녕하세요! 잘 지냅니다, 고맙습니다. 무엇을 도와드릴까요?' },
    ],
  },
  {
    name: 'web page',
    task: '오크스테드 나룻배의 어린이 요금은 얼마입니까?',
    steps: [
      {
        thought: '페이지에 요금으로 가는 링크가 있다. 그것을 클릭한다.',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "요금". Now at "요금" https://ferry.example/prices.'],
      },
      {
        thought: '요금 페이지가 열렸다. 전부 읽는다.',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# 요금\n\n| 어른 | 4크로네 |\n| 어린이 | 2크로네 |'],
      },
      { thought: '어린이는 2크로네이다.', answer: '어린이는 2크로네입니다.' },
    ],
  },
  codeRepair({
    task: '소포 요금 테스트가 실패합니다. 고쳐 주세요.',
    thoughts: [
      '테스트를 실행해 무엇이 실패하는지 본다.',
      '1킬로 소포가 2인데 테스트는 4를 원한다. 코드를 본다.',
      '최저 요금이 없다. 그것을 넣고 나머지는 그대로 둔다.',
      '고쳤다. 맞는지는 테스트만이 보여 준다.',
      '이제 테스트가 통과한다.',
    ],
    answer: 'fees.js 의 코드에 최저 요금이 없었습니다. 이제 4이고 테스트가 통과합니다.',
  }),
  fileWork({
    task: 'parcels.csv 의 킬로 합계를 sum.txt 에 써 주세요.',
    thoughts: [
      '먼저 파일이 어떻게 되어 있는지 본다.',
      '둘째 열이 킬로이다. 더하고, 쓰인 것을 확인한다.',
      '파일에 17이 있다. 3과 5와 9의 합이다.',
    ],
    answer: '킬로 합계는 17이며 sum.txt 에 있습니다.',
  }),
  resource({
    task: '오크스테드 항만 사무소는 몇 시까지 엽니까?',
    thoughts: [
      '그것은 모른다. 서버에 무엇이 있는지 본다.',
      '근무 시간이 있다. 그것을 읽는다.',
      '평일에는 7시부터 16시까지 연다.',
    ],
    answer: '오크스테드 항만 사무소는 평일에 16시까지 엽니다.',
  }),
]

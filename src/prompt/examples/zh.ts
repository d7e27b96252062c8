// The bundled Chinese examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const chinese: readonly Example[] = [
  {
    name: 'comparison',
    task: '岚角灯塔和栖云钟楼哪个更高？',
    steps: [
      {
        thought: '我需要两者的高度，先查岚角灯塔。',
        calls: [{ tool: 'search', input: { query: '岚角灯塔' } }],
        observations: ['岚角灯塔位于岚角港口，高42米，建于1921年。'],
      },
      {
        thought: '岚角灯塔高42米，再查栖云钟楼。',
        calls: [{ tool: 'search', input: { query: '栖云钟楼' } }],
        observations: ['栖云钟楼是栖云镇的地标，高67米，共九层。'],
      },
      { thought: '岚角灯塔是42米，栖云钟楼是67米。较大的数是67，它是栖云钟楼的。', answer: '栖云钟楼更高，高67米。' },
    ],
  },
  {
    name: 'chain',
    task: '鹿溪小火车一共运行了多少年？',
    steps: [
      {
        thought: '我需要鹿溪小火车开通和停运的年份。',
        calls: [{ tool: 'search', input: { query: '鹿溪小火车' } }],
        observations: ['鹿溪小火车连接鹿溪与青坪，1906年春天开通，全长十二公里。'],
      },
      {
        thought: '它在1906年开通，还不知道何时停运，在本页中查找。',
        calls: [{ tool: 'lookup', input: { term: '停运' } }],
        observations: ['(Result 1 / 1) 公路修通以后，小火车于1963年停运。'],
      },
      {
        thought: '从1906年到1963年，计算差值。',
        calls: [{ tool: 'calculator', input: { expression: '1963 - 1906' } }],
        observations: ['57'],
      },
      { thought: '差值是57年。', answer: '鹿溪小火车一共运行了57年，从1906年到1963年。' },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: '鹿溪大桥比鹿溪磨坊晚建多少年？',
    steps: [
      {
        thought: '我需要两者的年份，先查鹿溪磨坊。',
        calls: [{ tool: 'search', input: { query: '鹿溪磨坊' } }],
        observations: ['鹿溪磨坊建于1887年，当时有四十名工人。'],
      },
      {
        thought: '鹿溪磨坊建于1887年，鹿溪大桥的年份我还不知道。',
        calls: [{ tool: 'search', input: { query: '鹿溪大桥' } }],
        observations: ['鹿溪大桥建于1952年，长80米。'],
      },
      {
        thought: '年份是1887和1952，我来计算差值。',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: '相差65年。', answer: '鹿溪大桥比鹿溪磨坊晚建65年。' },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: '一箱有14瓶果酱，36箱一共有多少瓶？',
    steps: [
      {
        thought: '我需要计算14乘以36。',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14乘以36等于504。', answer: '一共有504瓶。' },
    ],
  },
  {
    name: 'unknown term',
    task: '《白鹭之门》的画家出生在哪个城市？',
    steps: [
      {
        thought: '我需要画家是谁，先搜索这幅画。',
        calls: [{ tool: 'search', input: { query: '白鹭之门' } }],
        observations: ['Could not find 白鹭之门. Similar: [白鹭门（油画）, 白鹭门街, 白鹭湾]'],
      },
      {
        thought: '没有这个条目，“白鹭门（油画）”才是要找的。',
        calls: [{ tool: 'search', input: { query: '白鹭门（油画）' } }],
        observations: ['《白鹭门》是画家温若竹的油画，1911年首次展出。'],
      },
      {
        thought: '画家是温若竹，再查她的出生城市。',
        calls: [{ tool: 'search', input: { query: '温若竹' } }],
        observations: ['温若竹是画家，1871年出生在青坪。'],
      },
      { thought: '温若竹出生在青坪。', answer: '《白鹭之门》的画家出生在青坪。' },
    ],
  },
  {
    name: 'small talk',
    task: '早上好！你好吗？',
    steps: [{ thought: '这是问候，不需要工具。', answer: '早上好！我很好，谢谢。有什么可以帮你的吗？' }],
  },
  {
    name: 'web page',
    task: '奥克斯特德渡船的儿童票多少钱？',
    steps: [
      {
        thought: '页面上有通往票价的链接。我点击它。',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "票价". Now at "票价" https://ferry.example/prices.'],
      },
      {
        thought: '票价页面已经打开。我读全部内容。',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# 票价\n\n| 成人 | 4 克朗 |\n| 儿童 | 2 克朗 |'],
      },
      { thought: '儿童票是 2 克朗。', answer: '儿童票是 2 克朗。' },
    ],
  },
  codeRepair({
    task: '包裹费用的测试失败了。请修好。',
    thoughts: [
      '我运行测试，看看哪里失败。',
      '1公斤的包裹收2，测试要求4。我看代码。',
      '没有最低费用。我加上它，其余保持不变。',
      '修改完成了。是否正确，只有测试能说明。',
      '测试现在通过了。',
    ],
    answer: 'fees.js 的代码没有最低费用。现在最低是4，测试通过。',
  }),
  fileWork({
    task: '把 parcels.csv 里公斤数的总和写入 sum.txt。',
    thoughts: ['先看文件的结构。', '第二列是公斤数。我把它相加，再看写入的内容。', '文件里是17，即3、5、9之和。'],
    answer: '公斤数的总和是17，已写入 sum.txt。',
  }),
  resource({
    task: '奥克斯特德港务办公室开到几点？',
    thoughts: ['这个我不知道。我看服务器上有什么。', '有办公时间。我读它。', '工作日从7点开到16点。'],
    answer: '奥克斯特德港务办公室工作日开到16点。',
  }),
]

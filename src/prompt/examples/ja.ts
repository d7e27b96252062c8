// The bundled Japanese examples. Everybody and everything in them is invented, so that no answer of theirs is ever right elsewhere.
import type { Example } from '../examples.js'
import { codeRepair, fileWork, resource } from '../scene-examples.js'

export const japanese: readonly Example[] = [
  {
    name: 'comparison',
    task: 'オストレル時計塔とピンムーア鉄塔では、どちらが高いですか？',
    steps: [
      {
        thought: '両方の高さが必要です。まずオストレル時計塔を調べます。',
        calls: [{ tool: 'search', input: { query: 'オストレル時計塔' } }],
        observations: ['オストレル時計塔はオストレルの旧港に立っています。高さは61メートルで、1934年に完成しました。'],
      },
      {
        thought: 'オストレル時計塔は61メートルです。次はピンムーア鉄塔を調べます。',
        calls: [{ tool: 'search', input: { query: 'ピンムーア鉄塔' } }],
        observations: ['ピンムーア鉄塔はピンムーアの丘に立つ電波塔です。高さは148メートルで、海岸からも見えます。'],
      },
      {
        thought: 'オストレル時計塔は61メートル、ピンムーア鉄塔は148メートルです。大きい数は148で、それはピンムーア鉄塔です。',
        answer: 'ピンムーア鉄塔の方が高く、148メートルです。',
      },
    ],
  },
  {
    name: 'chain',
    task: 'リレン索道フェリーは何年間運航していましたか？',
    steps: [
      {
        thought: 'リレン索道フェリーの最初の年と最後の年が必要です。',
        calls: [{ tool: 'search', input: { query: 'リレン索道フェリー' } }],
        observations: [
          'リレン索道フェリーはオークステッドでリレン川を渡っていました。最初の運航は1887年5月です。40人まで乗れました。',
        ],
      },
      {
        thought: '始まりは1887年です。いつ終わったかはまだ書かれていないので、このページの中で探します。',
        calls: [{ tool: 'lookup', input: { term: '最後の運航' } }],
        observations: ['（結果 1 / 1）最後の運航は、道路橋が開通した1952年の秋でした。'],
      },
      {
        thought: '1887年から1952年まで運航していました。差を計算します。',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: '差は65年です。', answer: 'リレン索道フェリーは1887年から1952年まで、65年間運航していました。' },
    ],
  },
  {
    name: 'difference',
    insteadOf: ['chain'],
    task: 'リレン橋はリレン水車小屋の何年後に建てられましたか？',
    steps: [
      {
        thought: '両方の年が必要です。まずリレン水車小屋を調べます。',
        calls: [{ tool: 'search', input: { query: 'リレン水車小屋' } }],
        observations: ['リレン水車小屋は1887年に建てられました。40人が働いていました。'],
      },
      {
        thought: 'リレン水車小屋は1887年に建てられました。リレン橋の年はまだ分かりません。',
        calls: [{ tool: 'search', input: { query: 'リレン橋' } }],
        observations: ['リレン橋は1952年に建てられました。長さは80メートルです。'],
      },
      {
        thought: '年は1887年と1952年です。差を計算します。',
        calls: [{ tool: 'calculator', input: { expression: '1952 - 1887' } }],
        observations: ['65'],
      },
      { thought: '差は65年です。', answer: 'リレン橋はリレン水車小屋の65年後に建てられました。' },
    ],
  },
  {
    name: 'calculation',
    insteadOf: ['chain', 'difference'],
    task: '1箱に瓶が14本入ります。36箱では瓶は何本ですか？',
    steps: [
      {
        thought: '14かける36を計算します。',
        calls: [{ tool: 'calculator', input: { expression: '14 * 36' } }],
        observations: ['504'],
      },
      { thought: '14かける36は504です。', answer: '瓶は504本です。' },
    ],
  },
  {
    name: 'unknown term',
    task: '「サギの門」の画家はどの町で生まれましたか？',
    steps: [
      {
        thought: '画家が必要です。まず絵を検索します。',
        calls: [{ tool: 'search', input: { query: 'サギの門' } }],
        observations: ['「サギの門」は見つかりません。似た項目：[鷺門（絵画）, 鷺門通り, サギたちの門]'],
      },
      {
        thought: 'その名前のページはありません。「鷺門（絵画）」が探しているものです。',
        calls: [{ tool: 'search', input: { query: '鷺門（絵画）' } }],
        observations: ['「鷺門」はモード・ティラリーの油絵で、1908年に初めて公開されました。'],
      },
      {
        thought: '画家はモード・ティラリーです。次は生まれた町を調べます。',
        calls: [{ tool: 'search', input: { query: 'モード・ティラリー' } }],
        observations: ['モード・ティラリーは画家です。1871年にオークステッドで生まれました。'],
      },
      {
        thought: 'モード・ティラリーはオークステッドで生まれました。',
        answer: '「サギの門」の画家はオークステッドで生まれました。',
      },
    ],
  },
  {
    name: 'small talk',
    task: 'おはようございます！お元気ですか？',
    steps: [
      {
        thought: 'これは挨拶です。ツールは必要ありません。',
        answer: 'おはようございます！元気です、ありがとうございます。何かお手伝いできることはありますか？',
      },
    ],
  },
  {
    name: 'web page',
    task: 'オークステッド渡船の子ども料金はいくらですか。',
    steps: [
      {
        thought: 'ページに料金へのリンクがある。それをクリックする。',
        calls: [{ tool: 'click_element', input: { index: 4 } }],
        observations: ['Clicked [4] link "料金". Now at "料金" https://ferry.example/prices.'],
      },
      {
        thought: '料金のページが開いた。全部読む。',
        calls: [{ tool: 'extract_content', input: {} }],
        observations: ['# 料金\n\n| 大人 | 4クローネ |\n| 子ども | 2クローネ |'],
      },
      { thought: '子どもは2クローネだ。', answer: '子どもは2クローネです。' },
    ],
  },
  codeRepair({
    task: '小包料金のテストが失敗します。直してください。',
    thoughts: [
      'テストを実行して、何が失敗するかを見る。',
      '1キロの小包が2で、テストは4を求めている。コードを見る。',
      '最低料金がない。それを加え、ほかはそのままにする。',
      '編集は済んだ。正しいかどうかはテストだけが示す。',
      'テストが通るようになった。',
    ],
    answer: 'fees.js のコードには最低料金がありませんでした。今は4で、テストも通ります。',
  }),
  fileWork({
    task: 'parcels.csv のキロ数の合計を sum.txt に書いてください。',
    thoughts: [
      'まずファイルの形を見る。',
      '二列目がキロ数だ。合計して、書かれたものを確かめる。',
      'ファイルには17とある。3と5と9の合計だ。',
    ],
    answer: 'キロ数の合計は17で、sum.txt にあります。',
  }),
  resource({
    task: 'オークステッドの港湾事務所は何時まで開いていますか？',
    thoughts: [
      'それは知らない。サーバーに何があるかを見る。',
      '営業時間がある。それを読む。',
      '平日は7時から16時まで開いている。',
    ],
    answer: 'オークステッドの港湾事務所は平日は16時まで開いています。',
  }),
]

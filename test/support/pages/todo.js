// A to-do list of the kind everybody knows: it draws itself anew after each change.
const by = id => document.getElementById(id)
let todos = []

function draw() {
  const shown = { '#/active': todo => !todo.done, '#/completed': todo => todo.done }[location.hash] ?? (() => true)
  by('items').replaceChildren(...todos.filter(shown).map(itemOf))
  const left = todos.filter(todo => !todo.done).length
  by('count').textContent = `${left} item${left === 1 ? '' : 's'} left`
}

function itemOf(todo) {
  const item = document.createElement('li')
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', checked: todo.done })
  box.setAttribute('aria-label', `Done: ${todo.text}`)
  box.onchange = () => change(() => (todo.done = box.checked))
  const drop = Object.assign(document.createElement('button'), { textContent: `Delete ${todo.text}` })
  drop.onclick = () => change(() => (todos = todos.filter(each => each !== todo)))
  item.append(box, todo.text, drop)
  return item
}

function change(how) {
  how()
  draw()
}

by('form').addEventListener('submit', event => {
  event.preventDefault()
  const text = by('new').value.trim()
  if (text !== '') change(() => todos.push({ text, done: false }))
  by('new').value = ''
})
by('clear').onclick = () => change(() => (todos = todos.filter(todo => !todo.done)))
addEventListener('hashchange', draw)
draw()

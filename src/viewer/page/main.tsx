// The page's program: the run that the page holds → what people see.
import './style.css'
import type { PageData } from '../page-data.js'
import { DATA_ID } from '../second-run.js'
import { Conversation } from './conversation.js'
import { render } from './preact.js'

const [holder, root] = [document.getElementById(DATA_ID), document.getElementById('page')]
if (holder && root) {
  const data = JSON.parse(holder.textContent ?? '') as PageData
  // the run is read once; its text need not be kept twice
  root.textContent = ''
  render(<Conversation {...data} />, root)
}

import './checkout.css'
import './link.css'
import { enableCopy } from '../kit/copy.ts'

// The page works without this script, which only shows the copy button.
const copyButton = document.querySelector<HTMLButtonElement>('[data-copy]')
if (copyButton !== null) enableCopy(copyButton, () => copyButton.dataset.copy!)

import './reference.css'
import './rail.css'
import './call.css'
import './examples.css'
import './tryIt.css'
import './search.css'
import { prepareExamples } from './examples.ts'
import { enableSearch } from './search.ts'
import { showSections } from './sections.ts'
import { enableTryIt } from './tryIt.ts'

// The overview works without this script: then it is a list of links to the pages of the endpoints.
function prepare(root: ParentNode): void {
  prepareExamples(root)
  enableTryIt(root)
}

prepare(document)
enableSearch()
showSections(prepare)

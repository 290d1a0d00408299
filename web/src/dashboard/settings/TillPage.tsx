import type { TillSettings } from '@florin/contract/till.js'
import './till.css'
import { Loaded } from '../../kit/console/states.tsx'
import { useResource } from '../../kit/query.ts'
import { QuickItems } from './QuickItems.tsx'
import { Tips } from './Tips.tsx'

/** The quick items and tips of the till. Owners and managers change them. */
export function TillPage() {
  const resource = useResource<TillSettings>('till')
  return (
    <Loaded resource={resource}>
      {(till) => (
        <div className="columns till-settings">
          <QuickItems till={till} />
          <Tips till={till} />
        </div>
      )}
    </Loaded>
  )
}

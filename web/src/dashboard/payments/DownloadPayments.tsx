import { useState } from 'react'
import { Button } from '../../kit/controls.tsx'
import { basePath } from '../../kit/request.ts'
import { DownloadDialog } from '../Download.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { exportQuery, isFiltered } from './filters.ts'

/** Downloads all payments that match the filters of the list. */
export function DownloadPayments() {
  const { translate } = useLanguage()
  const { mode, query } = useDashboardRoute()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        {translate('download')}
      </Button>
      {isOpen && (
        <DownloadDialog
          url={`${basePath}/store/${mode}/payments.csv?${exportQuery(query)}`}
          onClose={() => setOpen(false)}
        >
          <p className="soft">
            {translate(isFiltered(query) ? 'downloadFiltered' : 'downloadPayments')}
          </p>
        </DownloadDialog>
      )}
    </>
  )
}

import type { ReactNode } from 'react'
import { Failed, Loading } from '../kit/console/states.tsx'
import { Button } from '../kit/controls.tsx'
import { useLanguage } from './language.ts'
import type { usePages } from './pagesOf.ts'

type Props<Page extends { next_cursor: string | null }> = {
  list: ReturnType<typeof usePages<Page>>
  children: (pages: readonly Page[]) => ReactNode
}

/** What is there of a list, and a button for more of it. */
export function Paged<Page extends { next_cursor: string | null }>({
  list,
  children,
}: Props<Page>) {
  const { say } = useLanguage()
  const { pages, problem, isBusy, again, more } = list
  return (
    <>
      {problem && <Failed problem={problem} again={again} />}
      {pages.length === 0 ? problem === null && <Loading /> : children(pages)}
      {more && (
        <div className="buttons">
          <Button look="quiet" isBusy={isBusy} onClick={more}>
            {say('showMore')}
          </Button>
        </div>
      )}
    </>
  )
}

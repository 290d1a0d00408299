import type { Link } from '@florin/contract/links.js'
import { useResource } from '../../kit/query.ts'
import { useDashboardRoute } from '../route.ts'

/** The title of a link, which leads to its page. */
export function LinkTitle({ id }: { id: string }) {
  const { mode, hrefTo } = useDashboardRoute()
  const { data } = useResource<Link>(`${mode}/links/${id}`)
  return (
    <a href={hrefTo('links', id)}>
      <bdi>{data?.title ?? id}</bdi>
    </a>
  )
}

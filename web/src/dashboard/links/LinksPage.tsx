import './links.css'
import { LinkList } from './LinkList.tsx'
import { LinkPage } from './LinkPage.tsx'

/** The list of links, or one link. */
export function LinksPage({ id }: { id: string }) {
  return id === '' ? <LinkList /> : <LinkPage id={id} />
}

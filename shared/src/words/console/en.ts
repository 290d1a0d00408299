/** What frames, tables and states of the pages for desks say, whosever pages they are. */
export const words = {
  pages: 'Pages',
  loading: 'Loading',
  copy: 'Copy',
  copied: 'Copied',
  showMore: 'Show more',
  close: 'Close',
} as const

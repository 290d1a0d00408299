import type { Translation } from '../../say.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  pages: '页面',
  loading: '正在加载',
  copy: '复制',
  copied: '已复制',
  showMore: '显示更多',
  close: '关闭',
}

import type { Translation } from '../../say.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  pages: 'الصفحات',
  loading: 'جارٍ التحميل',
  copy: 'نسخ',
  copied: 'تم النسخ',
  showMore: 'عرض المزيد',
  close: 'إغلاق',
}

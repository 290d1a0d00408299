import type { Translation } from '../../say.ts'
import { words as books } from '../books/zh.ts'
import { words as console } from '../console/zh.ts'
import { words as developers } from '../developers/zh.ts'
import { words as people } from '../people/zh.ts'
import { words as settings } from '../settings/zh.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...people,
  ...console,
  ...books,
  ...developers,
  ...settings,
  title: '管理后台',
  overview: '概览',
  payments: '付款',
  balance: '余额',
  developers: '开发者',
  settings: '设置',
  account: '您的账户',
  name: '姓名',
  role: '角色',
  store: '门店',
  openTill: '打开收银台',
  notYours: '您的角色没有此页面。请联系店主。',
  noPage: '没有这个页面。',
  time: '时间',
  status: '状态',
  amount: '金额',
}

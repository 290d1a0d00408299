import Type, { type Static } from 'typebox'
import { ErrorBody } from './common.ts'
import { string } from './fields.ts'
import { StoreParams } from './operator.ts'

export const ServiceState = Type.Object(ErrorBody.properties, {
  title: 'ServiceState',
  description: 'Success',
})
export type ServiceState = Static<typeof ServiceState>

export const LogoParams = Type.Object({
  ...StoreParams.properties,
  file: string('File name: the hash of the image and `.png`.'),
})
export type LogoParams = Static<typeof LogoParams>

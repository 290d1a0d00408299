import type { StoreSettings } from '@florin/contract/store.js'
import { useId } from 'react'
import { Section } from '../../kit/console/Section.tsx'
import { Button } from '../../kit/controls.tsx'
import { Card } from '../../kit/display.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { StoreLogo } from '../../kit/StoreLogo.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

type Props = { settings: StoreSettings; isOwner: boolean; isOpen: boolean; onDone: () => void }

export function Logo({ settings, isOwner, isOpen, onDone }: Props) {
  const { translate } = useLanguage()
  const { request, account } = useSession()
  const id = useId()
  const { problem, start: change } = useAction(
    (picture: File | null) =>
      request('logo', picture === null ? { method: 'DELETE' } : { method: 'PUT', body: picture }),
    onDone,
  )

  return (
    <Card label={translate('logo')}>
      <Section title={translate('logo')} isOpen={isOpen}>
        <div className="logo-now">
          <StoreLogo url={settings.logo} storeId={account.store.id} size={96} />
          {isOwner && (
            <div className="stack">
              <div className="buttons">
                <label className="button button-quiet file" htmlFor={id}>
                  {translate('chooseLogo')}
                  <input
                    id={id}
                    className="visually-hidden"
                    type="file"
                    accept="image/png,image/jpeg"
                    onChange={({ target }) => {
                      const [picture] = target.files ?? []
                      if (picture) void change(picture)
                      target.value = ''
                    }}
                  />
                </label>
                {settings.own_logo && (
                  <Button look="quiet" onClick={() => void change(null)}>
                    {translate('removeLogo')}
                  </Button>
                )}
              </div>
              <p className="soft small">{translate('logoHelp')}</p>
              {problem && <ProblemNote problem={problem} />}
            </div>
          )}
        </div>
      </Section>
    </Card>
  )
}

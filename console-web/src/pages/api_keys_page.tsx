// The API keys of the account: those that there are, and a new one.
import { useState } from 'react'
import { AccountPlaces } from '../account/account_places.tsx'
import { API_KEYS_PATH, readApiKeyPage } from '../account/api_key.ts'
import { KeyRow } from '../account/key_row.tsx'
import { ListState } from '../account/list_state.tsx'
import { NewKeyForm } from '../account/new_key_form.tsx'
import { useDocument } from '../data/use_document.ts'
import { Pager } from '../ui/pager.tsx'

const FIRST_PAGE = `${API_KEYS_PATH}?page[limit]=50`

export const ApiKeysPage = () => {
  const [path, setPath] = useState(FIRST_PAGE)
  const loaded = useDocument(path, { read: readApiKeyPage })
  return (
    <>
      <title>API keys · Pharos</title>
      <main className="plain-page account">
        <header className="page-head">
          <h1>API keys</h1>
          <p>For programs of yours. Each may do what you may, until it expires or you revoke it.</p>
        </header>
        <AccountPlaces here="keys" />
        <div className="side-by-side" data-wide="left">
          <div className="main-side" aria-busy={loaded.kind === 'loading'}>
            <ListState loaded={loaded} what="the keys" />
            {loaded.kind === 'found' && (
              <>
                {loaded.value.rows.length === 0 && (
                  <p className="notice" data-tone="calm" data-testid="no-keys">
                    You have no keys.
                  </p>
                )}
                {loaded.value.rows.length > 0 && (
                  <ul className="card-rows" aria-label="API keys">
                    {loaded.value.rows.map((apiKey) => (
                      <KeyRow key={apiKey.id} apiKey={apiKey} onChanged={loaded.again} />
                    ))}
                  </ul>
                )}
                <Pager previous={loaded.value.previous} next={loaded.value.next} onChoose={setPath} />
              </>
            )}
          </div>
          <div className="side">
            <NewKeyForm
              onMade={() => {
                setPath(FIRST_PAGE)
                loaded.again()
              }}
            />
          </div>
        </div>
      </main>
    </>
  )
}

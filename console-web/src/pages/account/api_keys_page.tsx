// The API keys of the account: those that there are, and a new one.
import { useState } from 'react'
import { AccountList } from '../../account/account_list.tsx'
import { AccountPage } from '../../account/account_page.tsx'
import { API_KEYS_PATH, readApiKeyPage } from '../../account/api_key.ts'
import { KeyRow } from '../../account/key_row.tsx'
import { NewKeyForm } from '../../account/new_key_form.tsx'
import { useDocument } from '../../data/use_document.ts'

const FIRST_PAGE = `${API_KEYS_PATH}?page[limit]=50`

export const ApiKeysPage = () => {
  const [path, setPath] = useState(FIRST_PAGE)
  const loaded = useDocument(path, { read: readApiKeyPage })
  const made = (): void => {
    setPath(FIRST_PAGE)
    loaded.again()
  }
  return (
    <AccountPage
      title="API keys"
      intro="For programs of yours. Each may do what you may, until it expires or you revoke it."
      side={<NewKeyForm onMade={made} />}
    >
      <AccountList
        loaded={loaded}
        what="the keys"
        label="API keys"
        empty={
          <p className="notice" data-tone="calm" data-testid="no-keys">
            You have no keys.
          </p>
        }
        row={(apiKey) => <KeyRow key={apiKey.id} apiKey={apiKey} onChanged={loaded.again} />}
        onPage={setPath}
      />
    </AccountPage>
  )
}

// The articles about the service, searchable, and which of them point at which.
import { Migration } from '../migration.ts'

export class Migration0004Knowledge extends Migration {
  override up(): void {
    this.addSql(`
      -- A copy of the files that the service comes with, brought up to date at every start; nothing else writes it.
      -- plain is the body's prose without its markup, which excerpts are cut from; code is its examples. Both are
      -- searched, words in examples counting least.
      CREATE TABLE knowledge_articles (
        slug text COLLATE "C" PRIMARY KEY,
        title text NOT NULL,
        body text NOT NULL,
        plain text NOT NULL,
        code text NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        search tsvector NOT NULL GENERATED ALWAYS AS (
          setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', plain), 'C')
          || setweight(to_tsvector('english', code), 'D')) STORED
      )`)
    this.addSql(`CREATE INDEX knowledge_articles_search ON knowledge_articles USING gin (search)`)
    this.addSql(`
      -- position: where in the article the link comes first, counted from 0.
      CREATE TABLE knowledge_links (
        from_slug text COLLATE "C" NOT NULL REFERENCES knowledge_articles (slug) ON DELETE CASCADE,
        to_slug text COLLATE "C" NOT NULL REFERENCES knowledge_articles (slug) ON DELETE CASCADE,
        position smallint NOT NULL,
        PRIMARY KEY (from_slug, to_slug)
      )`)
    this.addSql(`CREATE INDEX knowledge_links_to ON knowledge_links (to_slug)`)
  }
}

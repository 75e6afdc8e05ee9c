// The articles about the service, with full-text search and the links between them.
import { Migration } from '../migration.ts'

export class Migration0004Knowledge extends Migration {
  override up(): void {
    this.addSql(`
      -- A copy of the article files, updated at every start. Nothing else writes it. plain is the text of the body
      -- without markup, from which excerpts are cut. code is the text of its examples. Both are searched, and words
      -- in examples count least.
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
      -- position is the place of the first such link in the article, counted from 0.
      CREATE TABLE knowledge_links (
        from_slug text COLLATE "C" NOT NULL REFERENCES knowledge_articles (slug) ON DELETE CASCADE,
        to_slug text COLLATE "C" NOT NULL REFERENCES knowledge_articles (slug) ON DELETE CASCADE,
        position smallint NOT NULL,
        PRIMARY KEY (from_slug, to_slug)
      )`)
    this.addSql(`CREATE INDEX knowledge_links_to ON knowledge_links (to_slug)`)
  }
}

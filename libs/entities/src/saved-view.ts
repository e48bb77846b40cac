import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import { InvalidField } from './errors.js';

/** Room for 400 characters of a script that needs nine per character in an address. */
const MAX_QUERY_CHARACTERS = 4000;

/** A named ticket list of one agent or of the whole account. */
@Entity('saved_views')
export class SavedView {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Null for the whole account. */
  @ForeignKey(() => Agent, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) agentId: string | null;
  @Column('text') name: string;
  /** Names with the same key are equal. */
  @Column('text') nameKey: string;
  /** The query string of the list, in canonical form. */
  @Column('text') query: string;
  @Column('integer') position: number;
  @Column('timestamptz') createdAt: Date;

  standFor(query: string): void {
    if (query.length > MAX_QUERY_CHARACTERS)
      throw new InvalidField('query', 'too_long', 'This search is too long to be kept.');
    this.query = query;
  }
}

import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';
import { Agent } from './agent.js';
import { InvalidField } from './errors.js';

/** A search in a script of which each character takes nine in an address has room for 400. */
const MAX_QUERY_CHARACTERS = 4000;

/** A list of tickets that is kept under a name, for one agent or for the whole account. */
@Entity('saved_views')
@Index('saved_views_account_name_idx', ['accountId', 'nameKey'], { unique: true, where: '(agent_id IS NULL)' })
@Index('saved_views_agent_name_idx', ['agentId', 'nameKey'], { unique: true, where: '(agent_id IS NOT NULL)' })
@Index(['accountId'])
export class SavedView {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Whose it is; null for the whole account. */
  @ForeignKey(() => Agent, { onDelete: 'CASCADE' }) @Column('uuid', { nullable: true }) agentId: string | null;
  @Column('text') name: string;
  /** By which two names are the same. */
  @Column('text') nameKey: string;
  /** The parameters of the list’s address, in one order and without those that say nothing. */
  @Column('text') query: string;
  @Column('integer') position: number;
  @Column('timestamptz') createdAt: Date;

  standFor(query: string): void {
    if (query.length > MAX_QUERY_CHARACTERS)
      throw new InvalidField('query', 'too_long', 'This search is too long to be kept.');
    this.query = query;
  }
}

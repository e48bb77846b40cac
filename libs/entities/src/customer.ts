import { isDeepStrictEqual } from 'node:util';
import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.js';

export type CustomFields = Readonly<Record<string, string | number | boolean | null>>;

@Entity('customers')
@Index(['accountId', 'email'], { unique: true })
@Index(['accountId', 'createdAt', 'id'])
@Index(['accountId', 'updatedAt', 'id'])
export class Customer {
  @PrimaryColumn('uuid') id: string;
  @ForeignKey(() => Account) @Column('uuid') accountId: string;
  /** Kept in lower case, so that matching ignores case by construction. */
  @Column('text') email: string;
  @Column('text', { default: '' }) firstName: string;
  @Column('text', { default: '' }) lastName: string;
  @Column('text', { nullable: true }) about: string | null;
  @Column('text', { nullable: true }) twitterUsername: string | null;
  @Column('text', { nullable: true }) title: string | null;
  @Column('text', { nullable: true }) companyName: string | null;
  @Column('text', { nullable: true }) phoneNumber: string | null;
  @Column('text', { nullable: true }) location: string | null;
  @Column('text', { nullable: true }) websiteUrl: string | null;
  @Column('text', { nullable: true }) linkedinUsername: string | null;
  @Column('jsonb', { default: {} }) custom: CustomFields;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  /** What is absent stays; what is null is cleared. */
  change(fields: { readonly [K in keyof CustomerProfile]?: CustomerProfile[K] | undefined }, now: Date): boolean {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const changes = given.filter(([name, value]) => !isDeepStrictEqual(value, this[name as keyof CustomerProfile]));
    Object.assign(this, Object.fromEntries(changes), changes.length > 0 && { updatedAt: now });
    return changes.length > 0;
  }

  /** Null rather than empty: a customer known by e-mail only has no name. */
  name(): string | null {
    return `${this.firstName} ${this.lastName}`.trim() || null;
  }
}

/** What can be said about a customer by those who know it. */
export type CustomerProfile = Omit<Customer, 'id' | 'accountId' | 'createdAt' | 'updatedAt' | 'change' | 'name'>;

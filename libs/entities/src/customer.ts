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
  /** In lower case. */
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

  /** Undefined fields keep their value; null clears one. */
  change(fields: { readonly [K in keyof CustomerProfile]?: CustomerProfile[K] | undefined }, now: Date): boolean {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const changes = given.filter(([name, value]) => !isDeepStrictEqual(value, this[name as keyof CustomerProfile]));
    Object.assign(this, Object.fromEntries(changes), changes.length > 0 && { updatedAt: now });
    return changes.length > 0;
  }

  /** Null if only the e-mail address is known. */
  name(): string | null {
    return `${this.firstName} ${this.lastName}`.trim() || null;
  }
}

export type CustomerProfile = Omit<Customer, 'id' | 'accountId' | 'createdAt' | 'updatedAt' | 'change' | 'name'>;

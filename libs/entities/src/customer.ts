import { isDeepStrictEqual } from 'node:util';
import { Column, Entity, PrimaryColumn } from 'typeorm';

export type CustomFields = Readonly<Record<string, string | number | boolean | null>>;

@Entity('customers')
export class Customer {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') accountId: string;
  /** In lower case. */
  @Column('text') email: string;
  @Column('text', { default: '' }) firstName: string = '';
  @Column('text', { default: '' }) lastName: string = '';
  @Column('text', { nullable: true }) about: string | null = null;
  @Column('text', { nullable: true }) twitterUsername: string | null = null;
  @Column('text', { nullable: true }) title: string | null = null;
  @Column('text', { nullable: true }) companyName: string | null = null;
  @Column('text', { nullable: true }) phoneNumber: string | null = null;
  @Column('text', { nullable: true }) location: string | null = null;
  @Column('text', { nullable: true }) websiteUrl: string | null = null;
  @Column('text', { nullable: true }) linkedinUsername: string | null = null;
  @Column('jsonb', { default: {} }) custom: CustomFields = {};
  /** Unique in the account. */
  @Column('text', { nullable: true }) externalId: string | null = null;
  @Column('timestamptz') createdAt: Date;
  @Column('timestamptz') updatedAt: Date;

  /** Undefined fields keep their value; null clears one. */
  change(fields: ProfileFields, now: Date): boolean {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    const changes = given.filter(([name, value]) => !isDeepStrictEqual(value, this[name as keyof ProfileFields]));
    Object.assign(this, Object.fromEntries(changes), changes.length > 0 && { updatedAt: now });
    return changes.length > 0;
  }

  /** Null if only the email address is known. */
  name(): string | null {
    return `${this.firstName} ${this.lastName}`.trim() || null;
  }
}

type Profile = Omit<Customer, 'id' | 'accountId' | 'createdAt' | 'updatedAt' | 'change' | 'name'>;

export type ProfileFields = { readonly [K in keyof Profile]?: Profile[K] | undefined };

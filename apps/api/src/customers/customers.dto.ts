import { type CustomFields, MAX_EXTERNAL_ID_CHARACTERS, type ProfileFields } from '#libs/entities';
import type { CustomerFields, CustomerQuery } from '#libs/tickets';
import { ApiDescription } from '../layers/edge/api-operation.decorator.js';
import { Email, IsCustomFields, IsTime, Optional, Text, TextOrEmpty, timeOf } from '../layers/edge/field-decorators.js';
import { ImportFlag, ImportedTime } from '../layers/oauth/imports.js';
import { PageQueryDto } from '../layers/edge/page-query.dto.js';

/** An absent field stays as it is; null clears it. */
class ProfileDto {
  @Optional('Full name, split at its last space. `first_name` and `last_name` take precedence.', TextOrEmpty(200))
  name?: string | null;
  @Optional('First name.', TextOrEmpty(200)) first_name?: string | null;
  @Optional('Last name.', TextOrEmpty(200)) last_name?: string | null;
  @Optional('Notes about the customer.', TextOrEmpty(5000)) about?: string | null;
  @Optional('Twitter username.', TextOrEmpty(200)) twitter_username?: string | null;
  @Optional('Job title.', TextOrEmpty(200)) title?: string | null;
  @Optional('Name of the company.', TextOrEmpty(200)) company_name?: string | null;
  @Optional('Telephone number.', TextOrEmpty(100)) phone_number?: string | null;
  @Optional('Location, such as a city.', TextOrEmpty(500)) location?: string | null;
  @Optional('Website of the customer or company.', TextOrEmpty(2048)) website_url?: string | null;
  @Optional('LinkedIn username.', TextOrEmpty(200)) linkedin_username?: string | null;
  @Optional('Custom fields. Values are text, numbers, booleans or null.', IsCustomFields())
  custom?: CustomFields | null;
  @Optional('Id of the customer in your system. Unique in the account.', Text(MAX_EXTERNAL_ID_CHARACTERS))
  external_id?: string | null;

  protected profile(): Required<Omit<ProfileFields, 'email'>> {
    const whole = this.name === undefined ? undefined : splitName(this.name ?? '');
    return {
      firstName: emptyIfNull(this.first_name) ?? whole?.firstName,
      lastName: emptyIfNull(this.last_name) ?? whole?.lastName,
      about: this.about,
      twitterUsername: this.twitter_username,
      title: this.title,
      companyName: this.company_name,
      phoneNumber: this.phone_number,
      location: this.location,
      websiteUrl: this.website_url,
      linkedinUsername: this.linkedin_username,
      custom: this.custom === null ? {} : this.custom,
      externalId: this.external_id,
    };
  }
}

const emptyIfNull = (name: string | null | undefined): string | undefined => (name === null ? '' : name);

function splitName(name: string) {
  const words = name.trim().split(/\s/);
  const last = words.length > 1 ? words.pop()! : '';
  return { firstName: words.join(' ').trim(), lastName: last };
}

export class CustomerDto extends ProfileDto {
  @ApiDescription('The email of the customer, which must be unique in the account.') @Email() email: string;

  toInput(): CustomerFields {
    return { ...this.profile(), email: this.email.toLowerCase() };
  }
}

export class CreateCustomerDto extends CustomerDto {
  @ImportFlag() import?: boolean | null;
  @ImportedTime('When the customer was added.') created_at?: string | null;
}

export class ChangeCustomerDto extends ProfileDto {
  @Optional('The new email address.', Email()) email?: string;

  toInput(): ProfileFields {
    return { ...this.profile(), email: this.email?.toLowerCase() };
  }
}

export class CustomersQueryDto extends PageQueryDto {
  @Optional('Lists only the customer with this email.', TextOrEmpty(320)) email?: string;

  @Optional('Lists only the customer with this `external_id`.', Text(MAX_EXTERNAL_ID_CHARACTERS)) external_id?: string;

  @Optional('Lists only customers updated at this time or later, least recently updated first.', IsTime())
  updated_since?: string;

  override toQuery(): CustomerQuery {
    const { email, external_id: externalId } = this;
    return { ...super.toQuery(), email, externalId, updatedSince: timeOf(this.updated_since) };
  }
}

import 'reflect-metadata';

const API_DESCRIPTION_KEY = 'docs:about';

interface Description {
  readonly words: string;
  /** What holds where the field is absent. */
  readonly default?: string | number | boolean;
}

/** The description of a field in the OpenAPI document. */
export const ApiDescription =
  (words: string, more: Omit<Description, 'words'> = {}): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(API_DESCRIPTION_KEY, { words, ...more } satisfies Description, target, property);

export const apiDescriptionOf = (target: object, property: string): Description | undefined =>
  Reflect.getMetadata(API_DESCRIPTION_KEY, target, property) as Description | undefined;

import 'reflect-metadata';

const API_DESCRIPTION_KEY = 'docs:about';

/** The description of a field in the OpenAPI document. */
export const ApiDescription =
  (words: string): PropertyDecorator =>
  (target, property) =>
    Reflect.defineMetadata(API_DESCRIPTION_KEY, words, target, property);

export const apiDescriptionOf = (target: object, property: string): string | undefined =>
  Reflect.getMetadata(API_DESCRIPTION_KEY, target, property) as string | undefined;

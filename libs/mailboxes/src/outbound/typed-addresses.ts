import { addressesIn } from '#libs/mail';

/**
 * Parses addresses, with or without names, separated by line breaks, commas or semicolons. Other text is returned
 * unchanged, for the caller’s error message.
 */
export function typedAddresses(text: string): string[] {
  const found: string[] = [];
  let name = '';
  for (const part of text.split(/[,;\n]/)) {
    if (part.includes('@')) {
      // A comma in a name: “Lima, Ana <ana@client.example>”.
      const isNamed = name !== '' && part.includes('<');
      if (name !== '' && !isNamed) found.push(name.trim());
      found.push(addressIn(isNamed ? `${name},${part}` : part));
      name = '';
    } else if (part.trim() !== '') name = name === '' ? part : `${name},${part}`;
  }
  return name === '' ? found : [...found, name.trim()];
}

const addressIn = (text: string): string => addressesIn(text)[0]?.address ?? text.trim();

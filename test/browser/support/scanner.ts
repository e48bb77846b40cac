import type { Browser, Locator } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';

interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly data: readonly number[];
}

/** Reads the QR code on the screen as a phone would. A separate browser with scripts reads the pixels. */
export async function scan(browser: Browser, picture: Locator): Promise<string> {
  const png = (await picture.screenshot({ type: 'png' })).toString('base64');
  const page = await browser.newPage();
  const pixels = await page.evaluate<Pixels>(`(async () => {
    const response = await fetch('data:image/png;base64,${png}');
    const bitmap = await createImageBitmap(await response.blob());
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(bitmap, 0, 0);
    return { width, height, data: Array.from(context.getImageData(0, 0, width, height).data) };
  })()`);
  await page.close();
  return decodeQR({ ...pixels, data: Uint8Array.from(pixels.data) });
}

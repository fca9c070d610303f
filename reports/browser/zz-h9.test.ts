import { test } from 'vitest';
import { useBrowser } from './browser.ts';
const open = useBrowser();
test('x', async () => {
  const m = (mark: string, real: string) => `<span class="mark" data-mark="${mark}">${real}</span>`;
  const html = `<!doctype html><meta charset=utf-8><style>pre{white-space:pre-wrap} .mark::before{content:attr(data-mark);color:gray;unicode-bidi:isolate}</style><body><p>before</p>
<pre id=a tabindex=0>TOK/x${m('\\r\\n', '&#13;\n')}${m('\\t', '&#9;')}b${m('\\r', '&#13;')}c  d${m('\\n', '\n')}${m('\\n', '\n')}e${m('\\n', '\n')}</pre><pre id=b>\n\nx${m('\\r', '&#13;')}y&#8203;z&#127;q&#133;|&#27;|&#1;| &#0;|&#11;|&#12;|&#8232;|&#8238;|</pre><p>after</p><div id=paste contenteditable>p</div>`;
  const { page } = await open(html, { permissions: ['clipboard-read', 'clipboard-write'] });
  for (const id of ['a', 'b']) {
    console.log(id, 'textContent', JSON.stringify(await page.evaluate(`document.getElementById('${id}').textContent`)));
    await page.evaluate(
      `(() => { const r = document.createRange(); r.selectNodeContents(document.getElementById('${id}')); const s = getSelection(); s.removeAllRanges(); s.addRange(r); })()`,
    );
    console.log(id, 'selection  ', JSON.stringify(await page.evaluate(`getSelection().toString()`)));
    await page.keyboard.press('Control+C');
    console.log(id, 'clipboard  ', JSON.stringify(await page.evaluate(`navigator.clipboard.readText().catch(String)`)));
    await page.evaluate(
      `window.got=null; document.addEventListener('paste', e => { window.got = e.clipboardData.getData('text/plain'); })`,
    );
    await page.locator('#paste').click();
    await page.keyboard.press('Control+V');
    console.log(id, 'paste      ', JSON.stringify(await page.evaluate(`window.got`)));
    // partial selection: from within text
  }
  await page.locator('#a').click({ clickCount: 3 });
  console.log('triple', JSON.stringify(await page.evaluate(`getSelection().toString()`)));
  await page.keyboard.press('Control+A');
  console.log('all', JSON.stringify(await page.evaluate(`getSelection().toString()`)));
  await page.screenshot({ path: '/tmp/h9x/a.png', clip: { x: 0, y: 0, width: 600, height: 300 } });
});

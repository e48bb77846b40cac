/** Payloads that try to run a script; one that succeeds sets `ran`. */
const RUN = 'window.ran=1';

const EVENTS = (
  'onerror onload onclick onmouseover onfocus onanimationstart ontoggle onpointerenter onbeforetoggle onscrollend ' +
  'oncontentvisibilityautostatechange'
).split(' ');

const ELEMENTS = (
  'img src=x,svg,body,input autofocus,details open,video src=x,audio src=x,iframe src=x,marquee,select autofocus,' +
  'textarea autofocus,object data=x,div style=animation:x'
).split(',');

const handlers = ELEMENTS.flatMap((element, place) =>
  [EVENTS[place % EVENTS.length], EVENTS[(place + 3) % EVENTS.length]].map((event) => `<${element} ${event}=${RUN}>`),
);

const SCRIPTS = [
  `<script>${RUN}</script>`,
  `<SCRIPT>${RUN}</SCRIPT>`,
  `<script >${RUN}</script >`,
  `<script/x>${RUN}</script>`,
  `<script\n>${RUN}</script\t>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<script src=data:text/javascript,${RUN}></script>`,
  `<script type=module>${RUN}</script>`,
  `<script>/*`,
  `*/${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</style><script>${RUN}</script>`,
  `</noscript><script>${RUN}</script>`,
  `</template><script>${RUN}</script>`,
  `--><script>${RUN}</script>`,
  `]]><script>${RUN}</script>`,
  `<!--<img src="--><img src=x onerror=${RUN}>`,
  `<![CDATA[<script>${RUN}</script>]]>`,
  `<?php echo "<script>${RUN}</script>" ?>`,
];

const BREAKING_OUT = [
  `"><img src=x onerror=${RUN}>`,
  `'><img src=x onerror=${RUN}>`,
  `" onfocus=${RUN} autofocus x="`,
  `' onfocus=${RUN} autofocus x='`,
  `" onmouseover="${RUN}`,
  `\` onmouseover=${RUN} \``,
  `x" style="animation:x" onanimationstart="${RUN}`,
  `"/><svg/onload=${RUN}>`,
  `';${RUN};//`,
  `";${RUN};//`,
  `\\";${RUN};//`,
  '${window.ran=1}',
  '{{constructor.constructor("window.ran=1")()}}',
  '#{window.ran=1}',
  '<%= window.ran=1 %>',
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
  String.raw`\u003cscript\u003e${RUN}\u003c/script\u003e`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `\uFF1Cscript\uFF1E${RUN}\uFF1C/script\uFF1E`,
];

const LINKS = [
  `<a href="javascript:${RUN}">x</a>`,
  `<a href="JaVaScRiPt:${RUN}">x</a>`,
  `<a href=" javascript:${RUN}">x</a>`,
  `<a href="java\tscript:${RUN}">x</a>`,
  `<a href="java\nscript:${RUN}">x</a>`,
  `<a href="&#106;avascript:${RUN}">x</a>`,
  `<a href="&#x6A;&#x61;vascript:${RUN}">x</a>`,
  `<a href="javascript&colon;${RUN}">x</a>`,
  `<a href="data:text/html,<script>${RUN}</script>">x</a>`,
  `<a href="data:text/html;base64,PHNjcmlwdD53aW5kb3cucmFuPTE8L3NjcmlwdD4=">x</a>`,
  `<a href="vbscript:msgbox(1)">x</a>`,
  `<a href="\u0001javascript:${RUN}">x</a>`,
  `<a href=javascript:${RUN}//>x</a>`,
  `<a href="//evil.test" target="_top">x</a>`,
  `javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `[x](javascript:${RUN})`,
];

const ELSEWHERE = [
  `<base href="https://evil.test/">`,
  `<meta http-equiv=refresh content="0;url=data:text/html,<script>${RUN}</script>">`,
  `<link rel=stylesheet href=data:text/css,*{x:expression(${RUN})}>`,
  `<style>@import 'https://evil.test/x.css';</style>`,
  `<style>*{background:url("javascript:${RUN}")}</style>`,
  `<div style="background:url(javascript:${RUN})">x</div>`,
  `<div style="width:expression(${RUN})">x</div>`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<iframe src="javascript:parent.ran=1"></iframe>`,
  `<embed src="data:text/html,<script>parent.ran=1</script>">`,
  `<object data="javascript:${RUN}"></object>`,
  `<form action="javascript:${RUN}"><button autofocus>x</button></form>`,
  `<button form=bulk formaction="javascript:${RUN}">x</button>`,
  `<isindex type=image src=1 onerror=${RUN}>`,
  `<applet code="x"></applet>`,
  `<frameset onload=${RUN}>`,
  `<table background="javascript:${RUN}"><tr><td>x</table>`,
  `<x contenteditable onblur=${RUN} tabindex=1>x</x>`,
  `<img src="x" srcset="x 1x, y 2x" onerror=${RUN}>`,
  `<image src=x onerror=${RUN}>`,
];

/** Markup that parsers read differently. */
const MUTATING = [
  `<svg><style><img src=x onerror=${RUN}></style></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${RUN}&gt;">`,
  `<svg><a xlink:href="javascript:${RUN}"><text y=20>x</text></a></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><set attributeName=href to=javascript:${RUN} /></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x xmlns='http://www.w3.org/2000/svg'><script>${RUN}</script></svg>#x"/></svg>`,
  `<svg><foreignObject><iframe srcdoc="<script>parent.ran=1</script>"></foreignObject></svg>`,
  `<math href="javascript:${RUN}">x</math>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<select><template><img src=x onerror=${RUN}></template></select>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=${RUN}>`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>">`,
  `<plaintext><img src=x onerror=${RUN}>`,
  `<img src=x:x onerror\u000c=${RUN}>`,
  `<img/src=x/onerror=${RUN}>`,
  `<img src=x onerror="&#119;indow.ran=1">`,
  `<IMG """><SCRIPT>${RUN}</SCRIPT>">`,
  `<a id=bulk name=csrf><input name=csrf>`,
  `<svg></p><style><g title="</style><img src=x onerror=${RUN}>">`,
];

/** Payloads that try to trigger the page’s own script. */
const ATTRIBUTES = [
  `<div hx-get="/inbox" hx-trigger="load" hx-vals="js:{x:${RUN}}">x</div>`,
  `<div hx-on:click="${RUN}" hx-on::load="${RUN}">x</div>`,
  `<img src=x hx-on:error="${RUN}">`,
  `<div data-hx-on="load -> ${RUN}">x</div>`,
  `<hx-partial hx-target="body"><img src=x onerror=${RUN}></hx-partial>`,
  `<div hx-swap-oob="true" id="main"><img src=x onerror=${RUN}></div>`,
  `<form hx-post="/tickets/bulk" hx-trigger="load"><input name=do value=delete></form>`,
  `<div hx-trigger="load[${RUN}]" hx-get="/">x</div>`,
];

export const PAYLOADS: readonly string[] = [
  ...handlers,
  ...SCRIPTS,
  ...BREAKING_OUT,
  ...LINKS,
  ...ELSEWHERE,
  ...MUTATING,
  ...ATTRIBUTES,
];

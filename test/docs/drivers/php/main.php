<?php

require __DIR__ . '/verify.php';

$requests = json_decode(stream_get_contents(STDIN), true);
echo json_encode(array_map(fn ($r) => verify($r['secret'], $r['headers'], base64_decode($r['body'])), $requests));

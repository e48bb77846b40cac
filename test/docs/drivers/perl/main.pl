use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use JSON::PP;
use MIME::Base64 qw(decode_base64);
use Verify;

my $requests = decode_json(do { local $/; <STDIN> });
my @verdicts = map { Verify::verify($_->{secret}, $_->{headers}, decode_base64($_->{body})) } @$requests;
print encode_json([map { $_ ? JSON::PP::true : JSON::PP::false } @verdicts]);

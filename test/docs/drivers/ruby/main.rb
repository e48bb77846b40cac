require "json"
require_relative "verify"

requests = JSON.parse($stdin.read)
puts JSON.generate(requests.map { |r| verify(r["secret"], r["headers"], r["body"].unpack1("m")) })
